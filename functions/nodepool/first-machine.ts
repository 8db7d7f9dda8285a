/** The machine that starts a cluster: exactly one, and no second one while the first may still exist. */
import { counted } from '#lib/api/counted.ts';
import { exhausted } from './capacity.ts';
import { judge } from './health.ts';
import type { PoolMachine } from './machines.ts';
import { leastUsed } from './placement.ts';
import { type HeldBy, type Note, PAUSED, type Plan, type PlanInput } from './slot.ts';
import { isExempt, successionOf } from './succession.ts';

export function planFirst(input: PlanInput): Plan {
  const { pool, machines, leaving, domains, pending } = input;
  const [first] = machines.toSorted((a, b) => a.slot - b.slot);
  if (first !== undefined) return planStarting(input, first);
  const none = { slots: [], releases: [], replacements: [], stopped: undefined, pending, nextCheck: undefined };
  if (pool.spec.replicas === 0) return { ...none, notes: [] };
  if (leaving.length > 0) return { ...none, notes: [PREVIOUS_GOES] };
  const failureDomain = leastUsed(domains, [], exhausted([], pending, input.now));
  const slot = { number: 0, failureDomain, initialize: true, remediationFor: pending[0] };
  return { ...none, slots: [slot], notes: othersOf(input) };
}

const PREVIOUS_GOES: Note = {
  kind: 'ScalingUp',
  message: 'the first machine is created once the one before it is gone',
};

/** It stays until it is a node. If it will not become one, it must be deleted completely before another one tries. */
function planStarting(input: PlanInput, first: PoolMachine): Plan {
  const { pool, now } = input;
  const { state, because, due } = judge(first, pool.spec.health, now);
  const slot = {
    number: first.slot,
    failureDomain: first.failureDomain,
    initialize: true,
    remediationFor: first.remediationFor,
  };
  const stays = { slots: [slot], releases: [], replacements: [], stopped: undefined, pending: [], nextCheck: due };
  if (state !== 'Unhealthy' || isExempt(first)) return { ...stays, notes: othersOf(input) };
  const problem = `Machine ${first.name} ${because}`;
  const held = (heldBy: HeldBy, why: string): Plan => ({
    ...stays,
    notes: [{ kind: 'Remediating', message: `${problem}; ${why}`, heldBy }],
  });
  if (pool.spec.paused) return held('Paused', PAUSED);
  const next = successionOf(input, first);
  if ('heldBy' in next) return { ...held(next.heldBy, next.why), nextCheck: next.due };
  const message = `it ${because}`;
  const given: Plan = {
    ...stays,
    pending: [next],
    notes: [{ kind: 'Remediating', message: `${problem} and is being replaced`, announce: true }],
  };
  // A machine that is deleted before the status records it would be forgotten, with the number of failures before it.
  if (!input.pending.some(({ machine }) => machine === first.name)) return given;
  return { ...given, slots: [], releases: [{ name: first.name, why: 'Unhealthy', message }] };
}

function othersOf({ pool }: PlanInput): readonly Note[] {
  const rest = pool.spec.replicas - 1;
  if (rest <= 0) return [];
  return [
    {
      kind: 'ScalingUp',
      message: `creating ${counted(rest, 'more machine')} once the first one has become a Node`,
    },
  ];
}
