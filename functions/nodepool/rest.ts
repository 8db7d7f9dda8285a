/** Whether a pool has nothing to do until something changes. */
import { transitionOf } from '#lib/api/conditions.ts';
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
 * Crossplane calls a pool when the pool or one of its Machines changes, and from 2.4 on when its Cluster does, but not when a
 * Machine has gone that it no longer composes. A pool may rest if nothing is under way; what only time changes shortens it.
 */
export function mayRest({ complete }: PoolSituation, { notes, pending }: Plan): boolean {
  return complete && notes.length === 0 && pending.length === 0;
}
