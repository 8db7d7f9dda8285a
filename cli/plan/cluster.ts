/** How an edited Cluster changes its infrastructure and its control-plane pool. */
import type { KubeObject } from '#lib/api/json.ts';
import { applyOnce } from '#simulator/render/apply-once.ts';
import type { PlanEntry } from './entry.ts';
import { ownerOf } from './machines.ts';
import { notesOf } from './notes.ts';
import { refusedEntries, refusedEntry } from './refused.ts';
import { runXr, withStatusOf } from './rendering.ts';
import { resourceEntries } from './resources.ts';
import { definitionOf, find, isGoing, isSlipway, nameOf, type PlanWorld, withObjects } from './world.ts';

export interface ClusterPlan {
  readonly entries: readonly PlanEntry[];
  /** The control-plane pool as it would be stored; empty if there is none yet, or if it does not change. */
  readonly pools: readonly KubeObject[];
  /** The Cluster with the status that it gets. */
  readonly seen: KubeObject;
  /** What its functions note of it. */
  readonly notes: readonly string[];
}

/**
 * @param cluster as it would be stored
 * @param before the world without the edit
 */
export async function planCluster(world: PlanWorld, cluster: KubeObject, before: PlanWorld): Promise<ClusterPlan> {
  if (isGoing(cluster)) return { entries: [], pools: [], seen: cluster, notes: [] };
  const owner = { cluster: nameOf(cluster) };
  const run = await runXr(world, cluster);
  if ('refusal' in run)
    return { entries: [refusedEntry(cluster, owner, run.refusal)], pools: [], seen: cluster, notes: [] };
  const live = find(before, { kind: 'Cluster', namespace: cluster.metadata?.namespace, name: nameOf(cluster) });
  const unedited = live === undefined ? undefined : await runXr(before, live);
  const isComparable = unedited === undefined || 'rendered' in unedited;
  const resources = isComparable ? resourceEntries(unedited?.rendered, run.rendered, owner) : [];
  const pools = run.rendered.composed.filter((one) => isSlipway(one, 'NodePool')).map((one) => stored(world, one));
  return {
    entries: [...resources, ...pools.flatMap((pool) => ('entries' in pool ? pool.entries : []))],
    pools: pools.flatMap((pool) => ('pool' in pool ? [pool.pool] : [])),
    seen: withStatusOf(run.rendered, cluster),
    notes: notesOf(cluster, run.rendered),
  };
}

/**
 * What changes besides once the control plane has its new version, such as charts that are chosen by it.
 *
 * @param world with the control-plane pool as it then is
 * @param then the Cluster as it then is
 * @param now the Cluster as it would be stored
 */
export async function planFollowing(
  world: PlanWorld,
  then: KubeObject,
  now: { readonly world: PlanWorld; readonly cluster: KubeObject; readonly blockedBy: string },
): Promise<readonly PlanEntry[]> {
  const [first, later] = await Promise.all([runXr(now.world, now.cluster), runXr(withObjects(world, [then]), then)]);
  if ('refusal' in first || 'refusal' in later) return [];
  const entries = resourceEntries(first.rendered, later.rendered, { cluster: nameOf(then) });
  return entries.map((entry) => ({ ...entry, blockedBy: now.blockedBy }));
}

/** The pool as Crossplane applies it over the one that exists. */
function stored(
  world: PlanWorld,
  pool: KubeObject,
): { readonly pool: KubeObject } | { readonly entries: readonly PlanEntry[] } {
  const live = find(world, { kind: 'NodePool', namespace: pool.metadata?.namespace, name: nameOf(pool) });
  const applied = applyOnce(pool, live, definitionOf(world, pool));
  if ('stored' in applied) return { pool: applied.stored };
  return { entries: refusedEntries(applied.wanted, live, ownerOf(pool), applied.refused) };
}
