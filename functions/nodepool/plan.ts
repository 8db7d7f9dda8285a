/**
 * Decides which slots the pool has: which stay, which go, which come, and why. Pure; it knows machines by slot
 * only. What a kept slot's machine is turned into, and how, is the in-place-update step's decision.
 */
import type { NodePool } from '#lib/api/kinds/node-pool.ts';
import { leastUsed } from './placement.ts';
import type { PoolMachine } from './machines.ts';

export interface Slot {
  readonly number: number;
  readonly failureDomain: string | undefined;
  /** The slot's machine starts the cluster instead of joining it. */
  readonly initialize: boolean;
}

export interface Note {
  readonly kind: 'ScalingUp' | 'ScalingDown' | 'Remediating' | 'Waiting';
  readonly message: string;
}

export interface Plan {
  readonly slots: readonly Slot[];
  /** Why the set of slots is not, or not yet, what the claim asks for. */
  readonly notes: readonly Note[];
}

export interface PlanInput {
  readonly pool: NodePool;
  /** Composed machines. */
  readonly machines: readonly PoolMachine[];
  /** Slots of machines that are on their way out and still hold their names. */
  readonly leaving: readonly number[];
  readonly domains: readonly string[];
  /** Whether the cluster's first control-plane machine became a node. */
  readonly initialized: boolean;
}

export function planSlots(input: PlanInput): Plan {
  const { pool, initialized } = input;
  if (pool.spec.role === 'control-plane' && !initialized) return planFirst(input);
  const { kept, notes } = withoutLost(input);
  const surplus = kept.length - pool.spec.replicas;
  if (surplus > 0) return scaleDown(input, kept, notes, surplus);
  if (surplus < 0) return scaleUp(input, kept, notes, -surplus);
  return { slots: kept, notes };
}

/** Exactly one machine may start the cluster. A lost one must be gone altogether before another tries. */
function planFirst({ pool, machines, leaving, domains }: PlanInput): Plan {
  const [first] = machines.toSorted((a, b) => a.slot - b.slot);
  const rest = pool.spec.replicas - 1;
  const waiting: readonly Note[] =
    rest > 0 ? [{ kind: 'ScalingUp', message: `${rest} more once the first machine became a node` }] : [];
  if (first !== undefined) {
    if (first.lost)
      return {
        slots: [],
        notes: [{ kind: 'Remediating', message: `Machine ${first.name} is lost before it became a node` }],
      };
    return { slots: [{ number: first.slot, failureDomain: first.failureDomain, initialize: true }], notes: waiting };
  }
  if (leaving.length > 0)
    return { slots: [], notes: [{ kind: 'Waiting', message: 'waiting for the previous first machine to be gone' }] };
  if (pool.spec.replicas === 0) return { slots: [], notes: [] };
  return { slots: [{ number: 0, failureDomain: leastUsed(domains, []), initialize: true }], notes: waiting };
}

/** Slots whose every machine is lost are given up; of a control plane one at a time, and never its last. */
function withoutLost({ pool, machines }: PlanInput): {
  readonly kept: readonly Slot[];
  readonly notes: readonly Note[];
} {
  const bySlot = Map.groupBy(machines, ({ slot }) => slot);
  const slots = [...bySlot].sort(([a], [b]) => a - b);
  const lost = slots.filter(([, members]) => members.every((machine) => machine.lost));
  const givenUp = pool.spec.role === 'control-plane' ? lost.slice(0, slots.length > 1 ? 1 : 0) : lost;
  const gone = new Set(givenUp.map(([number]) => number));
  return {
    kept: slots
      .filter(([number]) => !gone.has(number))
      .map(([number, members]) => ({
        number,
        failureDomain: members.find((machine) => !machine.lost)?.failureDomain ?? members[0]?.failureDomain,
        initialize: false,
      })),
    notes: givenUp.map(([, [machine]]) => ({
      kind: 'Remediating',
      message: `Machine ${machine?.name ?? '?'} is lost and gets a successor`,
    })),
  };
}

/** Slots that are not ready go first, then those of the most crowded failure domain, then the highest. */
function scaleDown(
  { pool, machines }: PlanInput,
  kept: readonly Slot[],
  notes: readonly Note[],
  surplus: number,
): Plan {
  const isReady = (slot: Slot): boolean => machines.some((machine) => machine.slot === slot.number && machine.ready);
  // etcd loses one member at a time, and only while all the others are well.
  const controlPlane = pool.spec.role === 'control-plane';
  const unready = kept.filter((slot) => !isReady(slot));
  if (controlPlane && unready.length > 1)
    return {
      slots: kept,
      notes: [
        ...notes,
        { kind: 'ScalingDown', message: `${surplus} fewer once at most one control-plane machine is not ready` },
      ],
    };
  const now = controlPlane ? Math.min(surplus, kept.length - 1, 1) : surplus;
  let remaining = kept;
  for (let i = 0; i < now; i += 1) {
    const victim = nextToGo(remaining, isReady);
    remaining = remaining.filter((slot) => slot !== victim);
  }
  return {
    slots: remaining,
    notes: [
      ...notes,
      { kind: 'ScalingDown', message: `${surplus} fewer: ${kept.length} machines, ${pool.spec.replicas} wanted` },
    ],
  };
}

function nextToGo(slots: readonly Slot[], isReady: (slot: Slot) => boolean): Slot | undefined {
  const crowd = (slot: Slot): number =>
    slots.filter(({ failureDomain }) => failureDomain === slot.failureDomain).length;
  return slots.toSorted(
    (a, b) => Number(isReady(a)) - Number(isReady(b)) || crowd(b) - crowd(a) || b.number - a.number,
  )[0];
}

/** New slots take the lowest free numbers. Control-plane machines join one after the other. */
function scaleUp(
  { pool, machines, leaving, domains }: PlanInput,
  kept: readonly Slot[],
  notes: readonly Note[],
  missing: number,
): Plan {
  const controlPlane = pool.spec.role === 'control-plane';
  const unready = machines.filter(({ ready, lost }) => !ready && !lost);
  const message = `${missing} more: ${kept.length} machines, ${pool.spec.replicas} wanted`;
  if (controlPlane && unready.length > 0)
    return {
      slots: kept,
      notes: [
        ...notes,
        { kind: 'ScalingUp', message: `${message}; the next one joins once ${unready[0]?.name ?? '?'} is ready` },
      ],
    };
  const taken = new Set([...machines.map(({ slot }) => slot), ...leaving]);
  const slots = [...kept];
  const now = controlPlane ? 1 : missing;
  for (let number = 0; slots.length < kept.length + now; number += 1) {
    if (taken.has(number)) continue;
    slots.push({
      number,
      failureDomain: leastUsed(
        domains,
        slots.map(({ failureDomain }) => failureDomain),
      ),
      initialize: false,
    });
  }
  return { slots, notes: [...notes, { kind: 'ScalingUp', message }] };
}
