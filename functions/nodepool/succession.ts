/** Which machine a new one replaces, how often that failed before, and how long the next attempt waits. */
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

/** It is never replaced for being unhealthy, and does not count. */
export function isExempt({ annotations }: PoolMachine): boolean {
  return ANNOTATION.skipRemediation in annotations || annotations[CROSSPLANE.paused] === 'true';
}

/** What its replacement records; or why it may not be replaced yet: it recently replaced another failed machine. */
export function successionOf({ pool, now, domains }: PlanInput, machine: PoolMachine): Remediation | Held {
  const { retryPeriod, minHealthyPeriod, maxRetry } = pool.spec.health;
  const { remediationFor, createdAt = 0, name, annotations } = machine;
  const first = rememberCapacity(machine, { machine: name, retryCount: 0 });
  if (remediationFor === undefined || ANNOTATION.remediateMachine in annotations) return first;
  // No machine was created that could have failed: another failure domain is not a retry.
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
 * Machines that were given up earlier and have no replacement yet. A machine that was given up with its slot only
 * counts while the pool has too few machines. A machine in a slot that still has another machine counts as long as that
 * one is to be replaced; if that one goes too, the next machine of the pool replaces both, and the failures still count.
 */
export function openRemediations({ pending, machines, pool, isOutdated }: PlanInput): readonly PendingRemediation[] {
  const complete = slotsOf(machines).length >= pool.spec.replicas;
  const there = new Set(machines.flatMap(({ name, remediationFor }) => [name, remediationFor?.machine]));
  const slots = new Set(machines.map(({ slot }) => slot));
  return pending
    .filter(({ machine }) => !there.has(machine))
    .map(({ slot, ...one }): PendingRemediation => (slot !== undefined && slots.has(slot) ? { ...one, slot } : one))
    .filter(({ slot }) =>
      slot === undefined ? !complete : machines.some((one) => one.slot === slot && isOutdated(one)),
    );
}
