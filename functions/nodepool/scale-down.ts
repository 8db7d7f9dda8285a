/**
 * Which slots go when there are too many: those whose machine asks for it, those that are unhealthy, those that are not
 * what the pool asks for, those that are not ready, then by `deletion.order`, then those of the most crowded failure
 * domain, then the highest. A machine may ask to go last. When each goes is the in-place-update step's decision.
 */
import type { Release } from '#lib/api/contracts/group.ts';
import { sha256 } from '#lib/api/names.ts';
import { ANNOTATION } from '#lib/api/words.ts';
import { judge } from './health.ts';
import type { PoolMachine } from './machines.ts';
import { newestOf, type Note, type PlanInput, type Slot } from './slot.ts';

export interface Scaled {
  readonly slots: readonly Slot[];
  readonly releases: readonly Release[];
  readonly notes: readonly Note[];
}

export function scaleDown(input: PlanInput, kept: readonly Slot[]): Scaled {
  const { pool, leaving, runsEtcd } = input;
  const surplus = kept.length - pool.spec.replicas;
  const message = `removing ${surplus} of ${machineCount(kept.length)}: replicas is ${pool.spec.replicas}`;
  // Members of etcd leave one after the other by the group's quorum; where etcd is elsewhere machines do so here.
  const oneByOne = pool.spec.role === 'control-plane' && !runsEtcd;
  if (oneByOne && leaving.length > 0)
    return {
      slots: kept,
      releases: [],
      notes: note(`${message}; it waits until the machine that is being deleted is gone`),
    };
  let remaining = kept;
  const victims: Slot[] = [];
  while (victims.length < (oneByOne ? 1 : surplus)) {
    const victim = nextToGo(remaining, input);
    if (victim === undefined) break;
    victims.push(victim);
    remaining = remaining.filter((slot) => slot !== victim);
  }
  return {
    slots: remaining,
    releases: victims.flatMap((slot) => releasesOf(input, slot, message)),
    notes: note(message),
  };
}

function note(message: string): readonly Note[] {
  return [{ kind: 'ScalingDown', message }];
}

function machineCount(count: number): string {
  return `${count} ${count === 1 ? 'machine' : 'machines'}`;
}

function releasesOf({ machines }: PlanInput, { number }: Slot, message: string): readonly Release[] {
  return machines.filter(({ slot }) => slot === number).map(({ name }) => ({ name, why: 'Surplus', message }));
}

/** Ranks of a slot, the most telling first; the slot with the lowest goes. */
type Ranks = readonly (number | string)[];

function nextToGo(slots: readonly Slot[], input: PlanInput): Slot | undefined {
  const { machines, pool } = input;
  const crowd = (slot: Slot): number =>
    slots.filter(({ failureDomain }) => failureDomain === slot.failureDomain).length;
  const ranked = slots.map((slot) => {
    const members = machines.filter((machine) => machine.slot === slot.number);
    const ready = members.some((machine) => machine.ready && !machine.updating);
    const order = orderRank(members, pool.spec.deletion.order);
    const ranks = [wishRank(members), healthRank(input, members), ageRank(input, members), Number(ready), order];
    return { slot, ranks: [...ranks, -crowd(slot), -slot.number] };
  });
  return ranked.toSorted((a, b) => compare(a.ranks, b.ranks))[0]?.slot;
}

/**
 * One that asks for both goes first. One that is to be replaced anyway goes before those that nobody marked. Where its
 * successor is there already, that one counts: the marked one goes without it.
 */
function wishRank(members: readonly PoolMachine[]): number {
  const marks = newestOf(members)?.annotations ?? {};
  if (ANNOTATION.deleteMachine in marks) return -2;
  if (members.some(({ annotations }) => ANNOTATION.keepMachine in annotations)) return 1;
  return ANNOTATION.remediateMachine in marks ? -1 : 0;
}

function healthRank({ pool, now }: PlanInput, members: readonly PoolMachine[]): number {
  return Number(members.some((machine) => judge(machine, pool.spec.health, now).state !== 'Unhealthy'));
}

/** One that is up to date, or is on its way there in place, goes last: it would be made again. One that failed does not count. */
function ageRank(input: PlanInput, members: readonly PoolMachine[]): number {
  const { isOutdated, pool, now } = input;
  const isWell = (machine: PoolMachine): boolean => judge(machine, pool.spec.health, now).state !== 'Unhealthy';
  return Number(members.some((machine) => isWell(machine) && (machine.updating || !isOutdated(machine))));
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
