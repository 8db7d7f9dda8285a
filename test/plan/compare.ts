/** One pair of state and edit: what `slipway plan` announces, and what happens then. */
import { refusalOf } from '#lib/api/contracts/refusal.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { timeOf } from '#lib/api/fields/text.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { CONTEXT, CROSSPLANE } from '#lib/api/words.ts';
import type { FunctionCaller } from '#simulator/engine.ts';
import { compositions, definitions } from '../../cli/files/repository.ts';
import { NAMED_LATER } from '../../cli/plan/created.ts';
import { outcomeOf, type PlanEntry, summaryOf, verdictOf } from '../../cli/plan/entry.ts';
import { planClaims } from '../../cli/plan/plan-claims.ts';
import { MAY_BE_ANOTHER, MAY_COME_FIRST, MAY_GO_ON, MAY_MOVE, MAY_STAND_IN } from '../../cli/plan/unsure.ts';
import type { PlanWorld } from '../../cli/plan/world.ts';
import { nameOf, type View } from '../sim/observation.ts';
import { EVERY_VERSION } from '../support/every-version.ts';
import { inProcess } from '../support/in-process.ts';
import type { Case } from './case.ts';
import { Family } from './family.ts';
import { type Happened, happenedTo } from './happened.ts';

export interface Comparison {
  /** The differences, in lines; empty: none. */
  readonly differences: readonly string[];
  readonly entries: readonly PlanEntry[];
  readonly log: readonly string[];
}

const DEFINITIONS = definitions();
const COMPOSITIONS = compositions();
const FATES = ['patched', 'updated', 'replaced', 'created', 'removed', 'held'] as const;

export async function compare(one: Case): Promise<Comparison> {
  const family = new Family(one);
  await family.rest();
  if (one.before !== undefined) {
    family.edit(one.before.edit);
    await family.steps(one.before.steps);
  }
  const views = family.pools.map((world) => world.view());
  const objects = objectsOf(family, views);
  const now = family.pools[0]?.now ?? new Date(0);
  for (const world of family.pools) world.created = [];
  const marks = family.pools.map(({ log }) => log.length);
  const claims = family.edit(one.edit);
  const entries = await planClaims(worldOf(objects, now), claims);
  if (entries.some(({ decision }) => decision === 'Refused')) return { differences: [], entries, log: [] };

  // Crossplane reacts to an edit at once.
  await family.reconcile(true);
  await family.rest();
  for (const { pool } of family.pools) await afterwards(family, pool);
  const differences: string[] = [];
  for (const [index, world] of family.pools.entries()) {
    const view = views[index];
    // Objects that are not in the files are not planned, though they may be changing.
    if (view === undefined || !isPlanned(world.pool, claims)) continue;
    const own = entries.filter(({ pool }) => pool === nameOf(world.pool));
    differences.push(...differing(own, await happenedTo(world, family, view), nameOf(world.pool)));
  }
  const log = family.pools.flatMap((world, index) =>
    world.log.slice(marks[index]).map((line) => `${nameOf(world.pool)} ${line}`),
  );
  return { differences, entries, log };
}

function isPlanned(pool: KubeObject, claims: readonly KubeObject[]): boolean {
  return claims.some((claim) => claim.kind === 'Cluster' || nameOf(claim) === nameOf(pool));
}

/** A restart with a time in the future happens, too. */
async function afterwards(family: Family, pool: KubeObject): Promise<void> {
  const time = timeOf(stringAt(pool, 'spec', 'update', 'rolloutAfter'));
  if (time === undefined) return;
  family.pass(time);
  await family.rest();
}

export function differing(entries: readonly PlanEntry[], happened: Happened, pool: string): readonly string[] {
  const planned = plannedBy(entries);
  const mayMove = entries.some(({ reason }) => reason.includes(MAY_MOVE));
  const later = entries.filter(({ reason }) => reason.endsWith(NAMED_LATER)).map(({ name }) => name);
  const certain = new Set(planned.created.filter((name) => !later.includes(name)));
  const known = (name: string): string => (certain.has(name) || later.length === 0 ? name : 'one named then');
  // In a slot with two machines, the result is not certain.
  const racing = new Set(
    entries.filter(({ reason }) => reason.includes(MAY_COME_FIRST)).map(({ name }) => slotPrefix(name)),
  );
  const anyOfThem = entries.some(({ reason }) => reason.includes(MAY_BE_ANOTHER));
  const named = (fate: keyof Happened, name: string): string => {
    if (fate === 'created') return known(name);
    return anyOfThem ? 'one of them' : name;
  };
  const standsIn = entries.some(({ reason }) => reason.includes(MAY_STAND_IN));
  const goesOn = entries.some(({ reason }) => reason.includes(MAY_GO_ON));
  const compared = [planned, happened]
    .map((all) => (goesOn ? withoutHeld(all) : all))
    // A machine whose replacement got another slot is a replaced one.
    .map((all) => (mayMove ? withoutSlots(all) : all))
    .map((all) => (standsIn ? withoutStandIns(all) : all))
    .map((all) => (anyOfThem && racing.size > 0 ? touched(all) : all));
  const lines = FATES.flatMap((fate) => {
    const [said, did] = compared.map((all) =>
      all[fate]
        .filter((name) => anyOfThem || !racing.has(slotPrefix(name)))
        .map((name) => named(fate, name))
        .toSorted()
        .join(', '),
    );
    return said === did ? [] : [`${pool} ${fate}: the plan says ${said || 'none'}, and ${did || 'none'} happens`];
  });
  const { machines } = summaryOf(entries);
  for (const fate of FATES)
    if (machines[fate] !== planned[fate].length)
      lines.push(`${pool} ${fate}: counted ${machines[fate]}, and there are lines about ${planned[fate].length}`);
  const summary = { ...summaryOf(entries), machines: countsOf(happened) };
  const [said, did] = [verdictOf(summaryOf(entries)), verdictOf(summary)];
  if (said !== did && !standsIn && !goesOn) lines.push(`${pool}: the verdict is ${said}, and ${did} happens`);
  return [...lines, ...misleading(entries)];
}

/** Of an update that had begun, which ends before its machine is replaced. */
const RUNNING = /^update \w+ is /;

/** Who reads only the lines of one machine learns that it is deleted, and nothing of an update that never comes. */
function misleading(entries: readonly PlanEntry[]): readonly string[] {
  const machines = Map.groupBy(
    entries.filter(({ kind }) => kind === 'Machine'),
    ({ name, succeeds }) => succeeds ?? name,
  );
  return [...machines].flatMap(([name, lines]) => {
    const outcome = outcomeOf(lines);
    if (outcome !== 'replaced' && outcome !== 'removed') return [];
    const own = lines
      .filter(({ succeeds, reason }) => succeeds === undefined && !RUNNING.test(reason))
      .map(({ decision }) => decision);
    const isClear = !own.includes('Update') && (own.includes('Recreate') || own.includes('Drop'));
    return isClear ? [] : [`${name} is ${outcome}, and its own lines say ${own.join(', ') || 'nothing'}`];
  });
}

/** A machine that is deleted first may seem removed, and its replacement created: only the deleted ones are certain. */
function withoutSlots(all: Happened): Happened {
  return { ...all, replaced: [...all.replaced, ...all.removed], removed: [], created: [] };
}

/**
 * If a slot has two machines and each call decides which one is deleted, only the number of changed ones is certain.
 */
function touched(all: Happened): Happened {
  return { ...all, replaced: [...all.replaced, ...all.removed, ...all.updated], removed: [], updated: [] };
}

/** A machine that is held may be updated. */
function withoutHeld(all: Happened): Happened {
  return { ...all, updated: [...all.updated, ...all.held], held: [] };
}

/** A temporary replacement is replaced; all others are updated. */
function withoutStandIns(all: Happened): Happened {
  return { ...all, updated: [...all.updated, ...all.replaced], replaced: [] };
}

/** The name of a machine without its suffix: its slot. */
function slotPrefix(name: string): string {
  return name.slice(0, name.lastIndexOf('-'));
}

function countsOf(happened: Happened): ReturnType<typeof summaryOf>['machines'] {
  const count = (fate: keyof Happened): number => happened[fate].length;
  return {
    patched: count('patched'),
    updated: count('updated'),
    replaced: count('replaced'),
    created: count('created'),
    removed: count('removed'),
    held: count('held'),
  };
}

function plannedBy(entries: readonly PlanEntry[]): Happened {
  const about = entries.filter(({ kind }) => kind === 'Machine');
  const names = [...new Set(about.map(({ name }) => name))];
  const outcomes = names.map((name) => ({
    name,
    outcome: outcomeOf(about.filter((line) => line.name === name || line.succeeds === name)),
  }));
  const named = (wanted: string): readonly string[] =>
    outcomes.filter(({ outcome }) => outcome === wanted).map(({ name }) => name);
  return {
    patched: named('patched'),
    updated: named('updated'),
    replaced: named('replaced'),
    created: named('created'),
    removed: named('removed'),
    held: named('held'),
  };
}

function worldOf(objects: readonly KubeObject[], now: Date): PlanWorld {
  const known = [...objects, EVERY_VERSION];
  return { objects: known, definitions: DEFINITIONS, compositions: COMPOSITIONS, functions: answering, now };
}

/** As with gRPC, the refusal of a function is a result. */
function answering(name: string): FunctionCaller {
  const caller = inProcess(name);
  return {
    async run(request, options) {
      try {
        return await caller.run(request, options);
      } catch (thrown) {
        if (!(thrown instanceof SlipwayError)) throw thrown;
        const { desired } = request;
        const context = { ...request.context, [CONTEXT.refusal]: refusalOf(thrown) };
        const fatal = { severity: 'Fatal', reason: thrown.code, message: thrown.message } as const;
        return { desired, context, conditions: [], results: [fatal], requirements: {}, ttl: undefined } as never;
      }
    },
  };
}

/** What a cluster would list: claims, composed pools and machines. */
function objectsOf({ cluster, pools }: Family, views: readonly View[]): readonly KubeObject[] {
  return [
    cluster,
    ...pools.flatMap(({ pool }, index) => {
      const { required = [], machines = [] } = views[index] ?? {};
      const refs = machines.map(({ apiVersion, kind, metadata }) => ({ apiVersion, kind, name: metadata?.name ?? '' }));
      const crossplane = { ...(at(pool, 'spec', 'crossplane') as object), resourceRefs: refs };
      return [{ ...pool, spec: { ...pool.spec, crossplane } }, ...required.map(named)];
    }),
  ];
}

function named(machine: KubeObject): KubeObject {
  const annotations = { ...machine.metadata?.annotations, [CROSSPLANE.compositionResourceName]: nameOf(machine) };
  return { ...machine, metadata: { ...machine.metadata, annotations } };
}
