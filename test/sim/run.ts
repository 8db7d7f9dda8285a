/** One run of a scenario with a seed: from nothing to complete, through its edits, to its required end. */
import { at, type Json, sameJson, stringAt } from '#lib/api/json.ts';
import { Broken } from './broken.ts';
import { Chance } from './chance.ts';
import { CALM, type Faults, kindsOf, randomFaults } from './faults.ts';
import { AWS, type Flavour } from './flavours.ts';
import { Judge } from './judge.ts';
import { isServing } from './machines.ts';
import { nameOf } from './observation.ts';
import { apply, decide, actAtRandom } from './person.ts';
import type { Case, Edit, Scenario } from './scenarios/scenario.ts';
import { conditionsOf, isComplete } from './silence.ts';
import { wayOf } from './ways.ts';
import { World } from './world.ts';

export interface Run {
  readonly scenario: string;
  readonly seed: number;
  readonly steps: number;
  readonly log: readonly string[];
  /** The violation; undefined: none. */
  readonly broken: string | undefined;
}

/** After the last edit: the number of steps with faults, and the number in which everything must be settled then. */
const FAULT_STEPS = 12;
const BOUND = 400;
/** Steps after which Crossplane calls again though nothing happened, because time alone may have changed something. */
const RECONCILE_STEPS = 4;
/** Calls at the end that must change nothing. */
const RERUNS = 3;
/** Steps in which a user does not react to what only a user decides. */
const REACTION_STEPS = 4;
const STEPS_PER_HOUR = 240;

/** Pools that are complete: every seed begins with the same one. */
const complete = new Map<Flavour, WeakMap<Case, Promise<World>>>();

function completeOn(flavour: Flavour, one: Case): Promise<World> {
  const known = complete.get(flavour) ?? new WeakMap<Case, Promise<World>>();
  complete.set(flavour, known);
  const begin = known.get(one) ?? completed(flavour, one);
  known.set(one, begin);
  return begin;
}

async function completed(flavour: Flavour, one: Case): Promise<World> {
  const world = new World(one.spec, flavour, new Chance(0), CALM);
  await settle(world, new Judge(world), { reruns: 1, complaint: 'the pool is not complete' });
  return world;
}

/** Without faults, so that the log is readable. */
export function calm(one: Case, flavour: Flavour = AWS): Promise<Run> {
  return runCase(one, 0, new Chance(0), CALM, flavour);
}

/** A seed selects one of the cases of the scenario, and its own faults. */
export function runScenario({ cases }: Scenario, seed: number, flavour: Flavour = AWS): Promise<Run> {
  const chance = new Chance(seed);
  const one = cases[seed % cases.length]!;
  return runCase(one, seed, chance, randomFaults(chance), flavour);
}

export async function runCase(
  one: Case,
  seed: number,
  chance: Chance,
  faults: Faults,
  flavour: Flavour = AWS,
): Promise<Run> {
  const world = (await completeOn(flavour, one)).fork(chance, faults);
  if (faults !== CALM) world.say(`(${one.name}; faults: ${kindsOf(faults)})`);
  const run = { scenario: one.name, seed };
  try {
    await rollOut(world, one, chance);
    return { ...run, steps: world.tick, log: world.log, broken: undefined };
  } catch (thrown) {
    const broken = thrown instanceof Broken ? thrown.message : String(thrown instanceof Error ? thrown.stack : thrown);
    return { ...run, steps: world.tick, log: [...world.log, ...saidBy(world)], broken };
  }
}

/** The conditions of the pool at the end: the first thing to read when a run fails. */
function saidBy(world: World): readonly string[] {
  return conditionsOf(world).flatMap((one) => {
    const message = stringAt(one, 'message');
    return message === undefined ? [] : [`     ${stringAt(one, 'type')} ${stringAt(one, 'reason')}: ${message}`];
  });
}

async function rollOut(world: World, one: Case, chance: Chance): Promise<void> {
  const { faults } = world;
  const before = [...world.lives.keys()];
  const edits = timed(one.edits, world.tick, faults === CALM ? () => 0 : () => chance.between(0, 6));
  const last = Math.max(...edits.map((edit) => edit.at));
  const judge = new Judge(world);
  while (world.tick <= last + (faults === CALM ? 0 : FAULT_STEPS)) {
    for (const edit of edits) if (edit.at === world.tick + 1) apply(world, edit, chance);
    if (chance.happens(faults.byHand)) actAtRandom(world, chance);
    await step(world, judge, world.tick % RECONCILE_STEPS === 0);
  }
  world.faults = CALM;
  if (one.hours === undefined)
    await settle(world, judge, { reruns: RERUNS, complaint: 'it does not come to an end', ...one });
  else await watch(world, judge, one.hours);
  ended(world, one, faults === CALM ? before : []);
}

/** Edits at their steps, each some steps later, in their order. */
function timed(edits: readonly Edit[], begin: number, later: () => number): readonly Edit[] {
  let late = begin;
  return edits.map((edit) => {
    late += later();
    return { ...edit, at: late + edit.at };
  });
}

async function step(world: World, judge: Judge, anyway: boolean): Promise<void> {
  world.pass();
  judge.prepare();
  judge.judge(await world.reconcile(anyway));
  if (world.tick % REACTION_STEPS === 0) decide(world);
}

interface End {
  readonly reruns: number;
  readonly complaint: string;
  readonly stays?: boolean;
}

/**
 * Until all machines are ready and match the claim, and nothing changes, call after call: a repeated call changes
 * nothing.
 */
async function settle(world: World, judge: Judge, { reruns, complaint, stays }: End): Promise<void> {
  const limit = world.tick + BOUND;
  let quiet = 0;
  while (quiet < reruns) {
    if (world.tick >= limit) throw new Broken(`${complaint} after ${BOUND} steps`);
    const before = world.log.length;
    await step(world, judge, quiet > 0 || world.tick % RECONCILE_STEPS === 0);
    const reached = stays === true ? [...world.lives.values()].every(isServing) : isComplete(world);
    quiet = world.log.length === before && reached ? quiet + 1 : 0;
  }
}

async function watch(world: World, judge: Judge, hours: number): Promise<void> {
  const end = world.tick + hours * STEPS_PER_HOUR;
  while (world.tick < end) await step(world, judge, world.tick % RECONCILE_STEPS === 0);
}

function ended(world: World, one: Case, before: readonly string[]): void {
  neverLeaked(world);
  const replicas = at(world.pool, 'spec', 'replicas');
  if (one.hours === undefined && world.lives.size !== replicas)
    throw new Broken(`${world.lives.size} machines at the end, ${JSON.stringify(replicas)} wanted`);
  for (const life of world.lives.values()) {
    const name = nameOf(life.object);
    for (const [field, value] of Object.entries(one.ends ?? {})) {
      const found = at(life.object, 'spec', field);
      if (one.stays === true && before.length === 0) continue;
      if (!includes(found, value)) throw new Broken(`${name} has ${field} ${JSON.stringify(found)} at the end`);
    }
    if (one.stays !== true && wayOf(life.object, world.goal, world.made(life)) !== 'Fits')
      throw new Broken(`${name} is not what the pool asks for at the end: ${JSON.stringify(life.object.spec)}`);
  }
  const gone = before.filter((name) => !world.lives.has(name));
  if (one.inPlace === true && gone.length > 0) throw new Broken(`${gone.join(', ')} should have been kept`);
}

/** The existing machines are exactly those in the references of the pool. */
function neverLeaked({ lives, crossplane }: World): void {
  const staying = [...lives].filter(([, { going }]) => going === undefined).map(([name]) => name);
  const leaked = staying.filter((name) => !crossplane.refs.has(name));
  if (leaked.length > 0) throw new Broken(`${leaked.join(', ')} exist and the pool does not refer to them`);
}

/** The fields in the scenario, and defaults beside them. */
function includes(found: Json | undefined, wanted: Json | undefined): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return sameJson(found, wanted);
  return Object.entries(wanted).every(([key, value]) => includes(at(found, key), value));
}
