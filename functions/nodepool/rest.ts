/** Whether a pool has to look at its Cluster by itself. */
import type { KubeObject } from '#lib/api/json.ts';
import { CLUSTER_SETTINGS } from '#lib/api/words.ts';
import { clusterSettings } from '#lib/fn/cluster-settings.ts';
import type { PoolSituation } from './situation.ts';
import type { Plan } from './slot.ts';

/**
 * Crossplane calls a pool when the pool or one of its Machines changes, but not when its Cluster does, and not when a
 * Machine has gone that it no longer composes. A pool may rest if none of these matters: nothing is under way, and its
 * Cluster writes on it what it reads of the Cluster. What only time changes shortens the rest further.
 * @param cluster as required
 */
export function mayRest({ composite, complete }: PoolSituation, plan: Plan, cluster: KubeObject | undefined): boolean {
  const written = composite.metadata?.annotations?.[CLUSTER_SETTINGS];
  return (
    complete &&
    plan.notes.length === 0 &&
    plan.pending.length === 0 &&
    cluster !== undefined &&
    written === clusterSettings(cluster)
  );
}
