/** Whether a pool has to look at its Cluster by itself. */
import { transitionOf } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { CLUSTER_SETTINGS } from '#lib/api/words.ts';
import { clusterSettings } from '#lib/fn/cluster-settings.ts';
import type { PoolSituation } from './situation.ts';
import type { Plan, PlanInput } from './slot.ts';

/** Milliseconds; no cache lags for so long. */
const SHOWN_EVERYWHERE = 120_000;

/**
 * Whether every machine is what the pool asks for, and has been ready for so long that no call can have read the pool
 * before it was last written to: only then may a call trust that it observes all of its machines.
 */
export function isSettled(
  { slots, notes, releases, replacements, pending, stopped }: Plan,
  { machines, isOutdated, now }: Pick<PlanInput, 'machines' | 'isOutdated' | 'now'>,
): boolean {
  const isUnderWay = [notes, releases, replacements, pending].some(({ length }) => length > 0) || stopped !== undefined;
  return (
    !isUnderWay &&
    slots.length === machines.length &&
    machines.every((one) => one.ready && !isOutdated(one) && isOld(transitionOf(one.object, 'Ready'), now))
  );
}

function isOld(since: number | undefined, now: number): boolean {
  return since !== undefined && since <= now - SHOWN_EVERYWHERE;
}

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
