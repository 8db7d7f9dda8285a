/**
 * New machines that fail one after another: each further attempt waits twice as long as the one before, and is
 * reported.
 */
import { seconds } from '#lib/api/fields/text.ts';
import { at, stringAt } from '#lib/api/json.ts';
import { CONDITION } from '#lib/api/words.ts';
import { Broken } from './broken.ts';
import type { StepResult } from './crossplane.ts';
import { hasBrokenImage } from './machines.ts';
import { budgetOfPool } from './shown.ts';
import { conditionsOf } from './silence.ts';
import { STEP, type World } from './world.ts';

interface Failure {
  readonly tick: number;
  /** The number of machines that cannot boot: each may be tried again. */
  readonly batch: number;
  readonly events: number;
  readonly published: number;
}

export class Loops {
  #first: Failure | undefined;
  #tries = 0;
  #hands = 0;

  watch(world: World, { created, before }: StepResult): void {
    // After an action of a user counting starts again.
    if (this.#hands !== world.hands) this.#first = undefined;
    if (this.#first === undefined) this.#tries = 0;
    this.#hands = world.hands;
    const broken = [...before.values()].filter(({ object }) => hasBrokenImage(object));
    if (this.#first === undefined && broken.some(({ late, lost }) => late || lost))
      this.#first = {
        tick: world.tick,
        batch: Math.max(broken.length + missing(world, before.size), tried(world, before)),
        events: world.events.length,
        published: world.published,
      };
    const first = this.#first;
    const again = created.filter((name) => isBroken(world, name));
    if (first === undefined || again.length === 0) return;
    this.#tries += again.length;
    spaced(world, first, this.#tries);
    if (this.#tries > first.batch + 1 && world.published > first.published + 1) reported(world, first);
  }
}

/** Missing machines are created, whoever deleted them, and machines given up before are tried again. */
function missing({ pool }: World, existing: number): number {
  const pending = at(pool, 'status', 'pendingRemediations');
  const given = Array.isArray(pending) ? pending.length : 0;
  return given + Math.max(0, Number(at(pool, 'spec', 'replicas')) - existing);
}

/** As many as are missing, and beside machines of another image as many as `maxSurge` allows. */
function tried({ pool }: World, before: StepResult['before']): number {
  const replicas = Number(at(pool, 'spec', 'replicas'));
  const others = [...before.values()].filter(({ going, object }) => going === undefined && !hasBrokenImage(object));
  const surge = budgetOfPool(pool).maxTotal - replicas;
  return Math.max(0, replicas - others.length) + Math.min(surge, others.length);
}

function isBroken({ lives }: World, name: string): boolean {
  const life = lives.get(name);
  return life !== undefined && hasBrokenImage(life.object);
}

/**
 * The first attempt after a failure need not wait; the second waits `retryPeriod`, and each further one twice as long.
 */
function spaced(world: World, { tick, batch }: Failure, tries: number): void {
  const period = seconds(stringAt(world.pool, 'spec', 'health', 'retryPeriod') ?? '10m');
  const elapsed = ((world.tick - tick) * STEP) / 1000;
  const each = 2 + Math.floor(Math.log2(elapsed / period + 1));
  if (tries > batch * each)
    throw new Broken(
      `machines fail one after another: ${tries} tries within ${elapsed}s, ${batch * each} are what retryPeriod allows`,
    );
}

function reported(world: World, { events }: Failure): void {
  const remediating = conditionsOf(world).find((one) => at(one, 'type') === CONDITION.remediating);
  if (at(remediating, 'message') === undefined)
    throw new Broken('machines fail one after another and no condition says so');
  if (world.events.length === events) throw new Broken('machines fail one after another without an event');
}
