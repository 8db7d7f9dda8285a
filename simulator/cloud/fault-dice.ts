/** Whether a cloud call succeeds: decided by the seed and the name of the call, never by the order of calls. */
import type { Dice } from '../clock/dice.ts';
import type { Faults } from '../interface.ts';
import type { Room } from './kind.ts';

const SLOWER = 8;

export class FaultDice {
  readonly #dice: Dice;
  readonly #faults: Faults;

  constructor(dice: Dice, faults: Faults) {
    this.#dice = dice;
    this.#faults = faults;
  }

  /** Duration in seconds. */
  seconds(range: readonly [number, number], what: string, attempt: number): number {
    const slow = this.#dice.roll('slow', what) < (this.#faults.slowObjects ?? 0);
    return this.#dice.between(range[0], range[1], 'seconds', what, attempt) * (slow ? SLOWER : 1);
  }

  /** @param seconds  since the start */
  lacksCapacity({ zone, size }: Pick<Room, 'zone' | 'size'>, seconds: number): boolean {
    return (this.#faults.noCapacity ?? []).some(
      (lack) =>
        lack.zone === zone && (lack.size === undefined || lack.size === size) && seconds < (lack.until ?? Infinity),
    );
  }

  /** The error of the cloud if it refuses the call; undefined if it succeeds. */
  refusal(call: 'create' | 'update' | 'delete', what: string, attempt: number): string | undefined {
    if (this.#dice.roll('rate', call, what, attempt) < (this.#faults.rateLimits ?? 0))
      return 'api error RequestLimitExceeded: Request limit exceeded.';
    const fails = call === 'create' && attempt === 0;
    if (fails && this.#dice.roll('fail', what) < (this.#faults.failedCreates ?? 0))
      return 'api error InternalError: An internal error has occurred.';
    return undefined;
  }
}
