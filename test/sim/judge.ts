/** The judge of one run: what must hold after every step, whatever failed before it. */
import { stringAt } from '#lib/api/json.ts';
import type { StepResult } from './crossplane.ts';
import { neverGood, neverTooFew, neverTooMany, neverTwice } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { Loops } from './loops.ts';
import { quorum } from './quorum.ts';
import { neverSilent } from './silence.ts';
import type { World } from './world.ts';

export class Judge {
  readonly #world: World;
  readonly #ledger: Ledger;
  readonly #loops = new Loops();

  constructor(world: World) {
    this.#world = world;
    this.#ledger = new Ledger(world);
  }

  /** Before each step: events since the last one may allow the pool more. */
  prepare(): void {
    this.#ledger.renew(this.#world);
  }

  /** Throws Broken for the first violation. */
  judge(result: StepResult | undefined): void {
    const world = this.#world;
    if (result !== undefined) {
      if (stringAt(world.pool, 'spec', 'role') === 'control-plane') quorum(result);
      neverTooFew(result);
      neverTooMany(world, result);
      neverGood(world, result);
      this.#ledger.book(result);
      this.#loops.watch(world, result);
    }
    neverTwice(world);
    neverSilent(world);
  }
}
