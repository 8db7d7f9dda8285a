/** The machine that starts a cluster: exactly one, and no second one while the first may still be there. */
import { judge } from './health.ts';
import type { PoolMachine } from './machines.ts';
import { leastUsed } from './placement.ts';
import type { HeldBy, Note, Plan, PlanInput } from './slot.ts';
import { isExempt, successionOf } from './succession.ts';

export function planFirst(input: PlanInput): Plan {
  const { pool, machines, leaving, domains, pending } = input;
  const [first] = machines.toSorted((a, b) => a.slot - b.slot);
  if (first !== undefined) return planStarting(input, first);
  const none = { slots: [], pending, nextCheck: undefined };
  if (leaving.length > 0)
    return { ...none, notes: [{ kind: 'Waiting', message: 'waiting for the previous first machine to be gone' }] };
  if (pool.spec.replicas === 0) return { ...none, notes: [] };
  const failureDomain = leastUsed(domains, []);
  const slot = { number: 0, failureDomain, initialize: true, remediationFor: pending[0] };
  return { ...none, slots: [slot], notes: othersOf(input) };
}

/** It stays until it is a node. One that will not become one must be gone altogether before another tries. */
function planStarting(input: PlanInput, first: PoolMachine): Plan {
  const { pool, now } = input;
  const { state, because, due } = judge(first, pool.spec.health, now);
  const slot = {
    number: first.slot,
    failureDomain: first.failureDomain,
    initialize: true,
    remediationFor: first.remediationFor,
  };
  const stays = { slots: [slot], pending: [], nextCheck: due };
  if (state !== 'Unhealthy' || isExempt(first)) return { ...stays, notes: othersOf(input) };
  const trouble = `Machine ${first.name} ${because} before it became a node`;
  const held = (heldBy: HeldBy, why: string): Plan => ({
    ...stays,
    notes: [{ kind: 'Remediating', message: `${trouble}; ${why}`, heldBy }],
  });
  if (pool.spec.paused) return held('Paused', 'the pool is paused');
  const next = successionOf(input, first);
  if ('heldBy' in next) return { ...held(next.heldBy, next.why), nextCheck: next.due };
  return { ...stays, slots: [], pending: [next], notes: [{ kind: 'Remediating', message: trouble }] };
}

function othersOf({ pool }: PlanInput): readonly Note[] {
  const rest = pool.spec.replicas - 1;
  if (rest <= 0) return [];
  return [{ kind: 'ScalingUp', message: `${rest} more once the first machine became a node` }];
}
