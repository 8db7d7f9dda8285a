/** What becomes of the machines of one pool, from the plan its own pipeline hands on. */
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type KubeObject } from '#lib/api/json.ts';
import { CONDITION, CROSSPLANE } from '#lib/api/words.ts';
import type { Rendered } from '#lib/engine/render/render-once.ts';
import type { PlanEntry } from './entry.ts';
import { machineEntries, ownerOf } from './machines.ts';
import { refusedEntry } from './refused.ts';
import { type Run, runXr } from './rendering.ts';
import { resourceEntries } from './resources.ts';
import { scaledOn } from './scaling.ts';
import { find, isGoing, nameOf, type World } from './world.ts';

/**
 * @param pool as it would be stored
 * @param before the world without the edit
 */
export async function planPool(world: World, pool: KubeObject, before: World): Promise<readonly PlanEntry[]> {
  if (isGoing(pool)) return [];
  const awake = awakened(pool);
  const run = await runXr(world, awake);
  if ('refusal' in run) return [refusedEntry(pool, ownerOf(pool), run.refusal)];
  const live = find(before, { kind: 'NodePool', namespace: pool.metadata?.namespace, name: nameOf(pool) });
  const unedited = live === undefined ? undefined : await runXr(before, live);
  const entries = withoutKept(machineEntries(pool, run.rendered), live, unedited);
  const further = await scaledOn(world, awake, run.rendered);
  return [
    ...heldVersion(pool, run.rendered),
    ...pausedEntries(pool, [...entries, ...further]),
    ...others(pool, unedited, run.rendered),
  ];
}

/** A version that the pool may not have: it keeps the one it has. One that waits for its control plane is told elsewhere. */
function heldVersion(pool: KubeObject, { composite }: Rendered): readonly PlanEntry[] {
  const said = conditionOf(composite, CONDITION.versionAccepted);
  if (said?.status !== 'False' || said.reason === 'WaitingForControlPlane') return [];
  const { namespace } = pool.metadata ?? {};
  const about = { kind: 'NodePool', ...(namespace === undefined ? {} : { namespace }), name: nameOf(pool) };
  const reason = said.message ?? said.reason;
  return [{ ...about, ...ownerOf(pool), field: 'spec.version', decision: 'Hold', reason, held: true }];
}

function others(pool: KubeObject, unedited: Run | undefined, after: Rendered): readonly PlanEntry[] {
  if (unedited === undefined) return resourceEntries(undefined, after, ownerOf(pool));
  return 'refusal' in unedited ? [] : resourceEntries(unedited.rendered, after, ownerOf(pool));
}

/** A pool that is paused is planned as if it were not: what it would do is held, and by what. */
function awakened(pool: KubeObject): KubeObject {
  return at(pool, 'spec', 'paused') === true ? { ...pool, spec: { ...pool.spec, paused: false } } : pool;
}

function pausedEntries(pool: KubeObject, entries: readonly PlanEntry[]): readonly PlanEntry[] {
  const annotated = pool.metadata?.annotations?.[CROSSPLANE.paused] === 'true';
  if (annotated) return entries.map((entry) => held(entry, `annotation ${CROSSPLANE.paused}`));
  if (at(pool, 'spec', 'paused') !== true) return entries;
  const succeeded = new Set(entries.filter(({ decision }) => decision === 'Recreate').map(({ name }) => name));
  // Scaling goes on.
  const isScaling = ({ decision, succeeds, name }: PlanEntry): boolean =>
    (decision === 'Create' && succeeds === undefined) || (decision === 'Drop' && !succeeded.has(name));
  return entries.map((entry) => (isScaling(entry) ? entry : held(entry, 'spec.paused')));
}

function held(entry: PlanEntry, blockedBy: string): PlanEntry {
  return entry.decision === 'Ignore' ? entry : { ...entry, blockedBy, held: true };
}

/** A field that is kept, edit or no edit, is no news. */
function withoutKept(
  entries: readonly PlanEntry[],
  live: KubeObject | undefined,
  unedited: Run | undefined,
): readonly PlanEntry[] {
  const ignored = entries.some(({ decision }) => decision === 'Ignore');
  if (!ignored || live === undefined || unedited === undefined || 'refusal' in unedited) return entries;
  const kept = new Set(machineEntries(live, unedited.rendered).map(keptKey));
  return entries.filter((entry) => entry.decision !== 'Ignore' || !kept.has(keptKey(entry)));
}

function keptKey({ name, field, old, new: value, decision }: PlanEntry): string {
  return JSON.stringify([name, field, old, value, decision]);
}
