/**
 * Which slots are removed when there are too many: marked machines first, then unhealthy, outdated and unready ones,
 * then by `deletion.order`, then those in the failure domain with the most machines, then the highest slot. A machine
 * can be marked to be removed last. The in-place-update step decides when each is deleted.
 */
import type { Release } from '#lib/api/contracts/group.ts';
import { counted } from '#lib/api/counted.ts';
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
  const message = `removing ${surplus} of ${counted(kept.length, 'machine')}: replicas is ${pool.spec.replicas}`;
  // With etcd members, the quorum rule of the group removes them one at a time; with external etcd this is done here.
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

function releasesOf({ machines }: PlanInput, { number }: Slot, message: string): readonly Release[] {
  return machines.filter(({ slot }) => slot === number).map(({ name }) => ({ name, why: 'Surplus', message }));
}

/** Sort keys of a slot, the most important first; the slot with the lowest is removed. */
type Ranks = readonly (number | string)[];

function nextToGo(slots: readonly Slot[], input: PlanInput): Slot | undefined {
  const { machines, pool } = input;
  const crowd = (slot: Slot): number =>
    slots.filter(({ failureDomain }) => failureDomain === slot.failureDomain).length;
  const ranked = slots.map((slot) => {
    const members = machines.filter((machine) => machine.slot === slot.number);
    const ready = members.some((machine) => machine.ready && !machine.updating);
    const order = orderRank(members, pool.spec.deletion.order);
    const ranks = [annotationRank(members), healthRank(input, members), ageRank(input, members), Number(ready), order];
    return { slot, ranks: [...ranks, -crowd(slot), -slot.number] };
  });
  return ranked.toSorted((a, b) => compare(a.ranks, b.ranks))[0]?.slot;
}

/**
 * A machine marked for both is removed first. A machine that is to be replaced anyway is removed before unmarked ones.
 * If its replacement exists, that one counts: the marked machine is deleted anyway.
 */
function annotationRank(members: readonly PoolMachine[]): number {
  const marks = newestOf(members)?.annotations ?? {};
  if (ANNOTATION.deleteMachine in marks) return -2;
  if (members.some(({ annotations }) => ANNOTATION.keepMachine in annotations)) return 1;
  return ANNOTATION.remediateMachine in marks ? -1 : 0;
}

function healthRank({ pool, now }: PlanInput, members: readonly PoolMachine[]): number {
  return Number(members.some((machine) => judge(machine, pool.spec.health, now).state !== 'Unhealthy'));
}

/**
 * A machine that is up to date, or is being updated in place, is removed last, because it would have to be created
 * again. A failed update does not count.
 */
function ageRank(input: PlanInput, members: readonly PoolMachine[]): number {
  const { isOutdated, pool, now } = input;
  const isWell = (machine: PoolMachine): boolean => judge(machine, pool.spec.health, now).state !== 'Unhealthy';
  return Number(members.some((machine) => isWell(machine) && (machine.updating || !isOutdated(machine))));
}

/** A slot is as old as its oldest machine, also during a replacement. */
function orderRank(
  members: readonly PoolMachine[],
  order: 'Random' | 'Newest' | 'Oldest' | undefined,
): number | string {
  if (order === undefined) return 0;
  // By name: the same request must give the same machines.
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
