/** A limit of how often something happens: so many at once after a quiet time, then so many per second. */
import type { Timing } from './timing.ts';

export interface Rate {
  readonly perSecond: number;
  /** After a quiet time. */
  readonly burst: number;
}

export class Tokens {
  readonly #timing: Timing;
  readonly #rate: Rate;
  #left: number;
  #filled: number;

  constructor(timing: Timing, rate: Rate) {
    this.#timing = timing;
    this.#rate = rate;
    this.#left = rate.burst;
    this.#filled = timing.elapsed();
  }

  /** False: so many are not left. */
  take(amount = 1): boolean {
    const { perSecond, burst } = this.#rate;
    const now = this.#timing.elapsed();
    this.#left = Math.min(burst, this.#left + ((now - this.#filled) / 1000) * perSecond);
    this.#filled = now;
    if (this.#left < amount) return false;
    this.#left -= amount;
    return true;
  }

  /** Seconds until the next one. */
  get wait(): number {
    return Math.max(0, (1 - this.#left) / this.#rate.perSecond);
  }
}
