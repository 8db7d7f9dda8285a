/**
 * Which slots go when there are too many: those whose machine asks for it, those that are not ready, then by
 * `deletion.order`, then those of the most crowded failure domain, then the highest. A machine may ask to go last.
 */
import { sha256 } from '#lib/api/names.ts';
import { ANNOTATION } from '#lib/api/words.ts';
import type { PoolMachine } from './machines.ts';
import type { Note, PlanInput, Slot } from './slot.ts';

export interface Scaled {
  readonly slots: readonly Slot[];
  readonly notes: readonly Note[];
}

export function scaleDown(input: PlanInput, kept: readonly Slot[]): Scaled {
  const { pool, machines, leaving, runsEtcd } = input;
  const surplus = kept.length - pool.spec.replicas;
  const controlPlane = pool.spec.role === 'control-plane';
  const unready = kept.filter(({ number }) => !machines.some(({ slot, ready }) => slot === number && ready));
  const waits = (until: string): Scaled => ({
    slots: kept,
    notes: [{ kind: 'ScalingDown', message: `${surplus} fewer once ${until}` }],
  });
  // etcd loses one member at a time, and only while all the others are well; elsewhere it loses none.
  if (controlPlane && leaving.length > 0) return waits('the machine on its way out is gone');
  if (controlPlane && runsEtcd && unready.length > 1) return waits('at most one control-plane machine is not ready');
  const now = controlPlane ? Math.min(surplus, kept.length - 1, 1) : surplus;
  let remaining = kept;
  for (let i = 0; i < now; i += 1) {
    const victim = nextToGo(remaining, input);
    remaining = remaining.filter((slot) => slot !== victim);
  }
  const message = `${surplus} fewer: ${kept.length} machines, ${pool.spec.replicas} wanted`;
  return { slots: remaining, notes: [{ kind: 'ScalingDown', message }] };
}

/** Ranks of a slot, the most telling first; the slot with the lowest goes. */
type Ranks = readonly (number | string)[];

function nextToGo(slots: readonly Slot[], { machines, pool }: PlanInput): Slot | undefined {
  const crowd = (slot: Slot): number =>
    slots.filter(({ failureDomain }) => failureDomain === slot.failureDomain).length;
  const ranked = slots.map((slot) => {
    const members = machines.filter((machine) => machine.slot === slot.number);
    const ready = members.some((machine) => machine.ready && !machine.updating);
    const order = orderRank(members, pool.spec.deletion.order);
    return { slot, ranks: [wishRank(members), Number(ready), order, -crowd(slot), -slot.number] };
  });
  return ranked.toSorted((a, b) => compare(a.ranks, b.ranks))[0]?.slot;
}

/** One that asks for both goes first. */
function wishRank(members: readonly PoolMachine[]): number {
  const asks = (annotation: string): boolean => members.some(({ annotations }) => annotation in annotations);
  if (asks(ANNOTATION.deleteMachine)) return -1;
  return asks(ANNOTATION.keepMachine) ? 1 : 0;
}

/** A slot is as old as its oldest machine, also while a successor is made. */
function orderRank(
  members: readonly PoolMachine[],
  order: 'Random' | 'Newest' | 'Oldest' | undefined,
): number | string {
  if (order === undefined) return 0;
  // By name: the same request must name the same machines.
  if (order === 'Random') return sha256(members[0]?.name ?? '');
  const createdAt = Math.min(...members.map((machine) => machine.createdAt ?? 0));
  return order === 'Newest' ? -createdAt : createdAt;
}

function compare(a: Ranks, b: Ranks): number {
  for (const [index, rank] of a.entries()) {
    const other = b[index] ?? 0;
    if (rank !== other) return rank < other ? -1 : 1;
  }
  return 0;
}
