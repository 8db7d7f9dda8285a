/** Whom a new machine succeeds, how often that failed before, and how long the next try waits. */
import { seconds } from '#lib/api/fields/text.ts';
import type { PendingRemediation, Remediation } from '#lib/api/kinds/node-pool.ts';
import { ANNOTATION, CROSSPLANE } from '#lib/api/words.ts';
import { hasUntried, lacksCapacity, rememberCapacity } from './capacity.ts';
import { judge } from './health.ts';
import type { PoolMachine } from './machines.ts';
import { type HeldBy, type PlanInput, slotsOf } from './slot.ts';

export interface Held {
  readonly heldBy: HeldBy;
  readonly why: string;
  /** Milliseconds since 1970; undefined: only an edit helps. */
  readonly due: number | undefined;
}

const LONGEST_WAIT = 2 * 60 * 60 * 1000;

/** Nobody may replace it for being unhealthy, and it does not count. */
export function isExempt({ annotations }: PoolMachine): boolean {
  return ANNOTATION.skipRemediation in annotations || annotations[CROSSPLANE.paused] === 'true';
}

/** What its successor is told; or why it may not have one yet: it succeeded another that failed, not long ago. */
export function successionOf({ pool, now, domains }: PlanInput, machine: PoolMachine): Remediation | Held {
  const { retryPeriod, minHealthyPeriod, maxRetry } = pool.spec.health;
  const { remediationFor, createdAt = 0, name, annotations } = machine;
  const first = rememberCapacity(machine, { machine: name, retryCount: 0 });
  if (remediationFor === undefined || ANNOTATION.remediateMachine in annotations) return first;
  // Nothing was made that could have failed: the next failure domain is no second try of the same.
  if (hasUntried(machine, domains)) return { ...first, retryCount: remediationFor.retryCount };
  const { since } = judge(machine, pool.spec.health, now);
  if (since !== undefined && since - createdAt > seconds(minHealthyPeriod) * 1000) return first;
  const retryCount = remediationFor.retryCount + 1;
  if (maxRetry !== undefined && retryCount > maxRetry)
    return {
      heldBy: 'CannotBeRemediated',
      why: `health.maxRetry is ${maxRetry}; delete it to try again`,
      due: undefined,
    };
  const period = seconds(retryPeriod) * 1000;
  const due = createdAt + Math.min(period * 2 ** (retryCount - 1), Math.max(period, LONGEST_WAIT));
  if (due <= now) return rememberCapacity(machine, { machine: name, retryCount });
  const until = new Date(due).toISOString().replace('.000Z', 'Z');
  return {
    heldBy: 'RemediationDeferred',
    why: lacksCapacity(machine)
      ? `no other allowed failure domain has capacity; the next try is at ${until}`
      : `it replaced ${remediationFor.machine}, which failed too; it is replaced at ${until}`,
    due,
  };
}

/**
 * Given up before and without a successor yet. One that was given up with its slot: not once the pool has all its
 * machines, whoever they are. One in a slot that another machine still fills: as long as that one is to be replaced.
 */
export function openOf({ pending, machines, pool, isOutdated }: PlanInput): readonly PendingRemediation[] {
  const complete = slotsOf(machines).length >= pool.spec.replicas;
  const there = new Set(machines.flatMap(({ name, remediationFor }) => [name, remediationFor?.machine]));
  return pending.filter(({ machine, slot }) => {
    if (there.has(machine)) return false;
    return slot === undefined ? !complete : machines.some((one) => one.slot === slot && isOutdated(one));
  });
}
