/** One run of a scenario by a seed: from nothing to complete, through its edits, to where it must end. */
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type Json, sameJson } from '#lib/api/json.ts';
import { CONDITION } from '#lib/api/words.ts';
import { Chance } from './chance.ts';
import { Broken, judge } from './invariants.ts';
import { CALM, type Faults, isServing, ROUGH } from './machines.ts';
import { RULES, type Scenario } from './scenarios.ts';
import { nameOf, World } from './world.ts';

export interface Run {
  readonly scenario: string;
  readonly seed: number;
  readonly steps: number;
  readonly log: readonly string[];
  /** What did not hold; undefined: all did. */
  readonly broken: string | undefined;
}

/** Steps from the last edit on in which things go wrong, and in which everything must have settled then. */
const TROUBLE = 12;
const BOUND = 400;
/** Steps after which Crossplane asks again though nothing happened: time alone may have brought something about. */
const RECALL = 4;
/** Calls at the end that must change nothing. */
const RERUNS = 3;
/** Steps in which nobody looks at what only a person decides. */
const PATIENCE = 4;

/** Pools that are complete, by scenario: every seed begins with the same one. */
const complete = new Map<Scenario, Promise<World>>();

async function completed(scenario: Scenario): Promise<World> {
  const world = new World(scenario.spec, RULES, new Chance(0), CALM);
  await settle(world, 1, 'the pool is not complete');
  return world;
}

/** Nothing goes wrong: what happens can be read. */
export function calm(scenario: Scenario): Promise<Run> {
  return runScenario(scenario, 0, CALM);
}

export async function runScenario(scenario: Scenario, seed: number, faults: Faults = ROUGH): Promise<Run> {
  const chance = new Chance(seed);
  const begin = complete.get(scenario) ?? completed(scenario);
  complete.set(scenario, begin);
  const world = (await begin).fork(chance, faults);
  try {
    await rollOut(world, scenario, chance, faults);
    return { scenario: scenario.name, seed, steps: world.tick, log: world.log, broken: undefined };
  } catch (thrown) {
    const broken = thrown instanceof Broken ? thrown.message : String(thrown instanceof Error ? thrown.stack : thrown);
    return { scenario: scenario.name, seed, steps: world.tick, log: world.log, broken };
  }
}

async function rollOut(world: World, scenario: Scenario, chance: Chance, faults: Faults): Promise<void> {
  const before = [...world.lives.keys()];
  const begin = world.tick;
  const edits = timed(scenario.edits, begin, faults === CALM ? () => 0 : () => chance.between(0, 6));
  const last = Math.max(...edits.map((edit) => edit.at));
  while (world.tick <= last + (faults === CALM ? 0 : TROUBLE)) {
    for (const edit of edits) if (edit.at === world.tick + 1) apply(world, edit);
    await step(world, world.tick % RECALL === 0);
  }
  world.faults = CALM;
  await settle(world, RERUNS, 'it does not come to an end');
  ended(world, scenario, faults === CALM ? before : []);
}

/** Edits at their steps, each some steps later, in their order. */
function timed(edits: Scenario['edits'], begin: number, later: () => number): Scenario['edits'] {
  let late = begin;
  return edits.map((edit) => {
    late += later();
    return { ...edit, at: late + edit.at };
  });
}

function apply(world: World, { spec, version }: Scenario['edits'][number]): void {
  if (spec !== undefined) world.edit(spec);
  if (version !== undefined) world.upgrade(version);
}

async function step(world: World, anyway: boolean): Promise<void> {
  world.pass();
  const deed = await world.reconcile(anyway);
  if (deed !== undefined) judge(world, deed);
  if (world.tick % PATIENCE === 0) decide(world);
}

/** Updates that failed, and more machines lost than `maxUnhealthy` allows, wait for a person – who was told. */
function decide(world: World): void {
  const remediating = conditionOf(world.pool, CONDITION.remediating);
  const tooMany = remediating?.reason === 'TooManyUnhealthy';
  for (const [name, { update, lost }] of world.lives)
    if (update?.phase === 'Failed' || (tooMany && lost && remediating.message?.includes(name))) world.remove(name);
}

/** Until everything serves and nothing is done, call after call: a mere re-run changes nothing. */
async function settle(world: World, reruns: number, complaint: string): Promise<void> {
  const limit = world.tick + BOUND;
  let quiet = 0;
  while (quiet < reruns) {
    if (world.tick >= limit) throw new Broken(`${complaint} after ${BOUND} steps`);
    const before = world.log.length;
    await step(world, quiet > 0 || world.tick % RECALL === 0);
    const all = [...world.lives.values()];
    quiet = world.log.length === before && all.length > 0 && all.every(isServing) ? quiet + 1 : 0;
  }
}

function ended(world: World, { ends, inPlace }: Scenario, before: readonly string[]): void {
  const replicas = at(world.pool, 'spec', 'replicas');
  if (world.lives.size !== replicas)
    throw new Broken(`${world.lives.size} machines at the end, ${JSON.stringify(replicas)} wanted`);
  for (const { object } of world.lives.values())
    for (const [field, value] of Object.entries(ends)) {
      const found = at(object, 'spec', field);
      if (!includes(found, value))
        throw new Broken(`${nameOf(object)} has ${field} ${JSON.stringify(found)} at the end`);
    }
  const gone = before.filter((name) => !world.lives.has(name));
  if (inPlace === true && gone.length > 0) throw new Broken(`${gone.join(', ')} should have been kept`);
}

/** What the scenario names, with defaults beside it. */
function includes(found: Json | undefined, wanted: Json | undefined): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return sameJson(found, wanted);
  return Object.entries(wanted).every(([key, value]) => includes(at(found, key), value));
}
