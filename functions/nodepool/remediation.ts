/**
 * Which slots are given up because their machine is unhealthy: no more than the policy allows at once, and of a control
 * plane one at a time, while the others keep the etcd majority.
 */
import type { Release } from '#lib/api/contracts/group.ts';
import type { PendingRemediation } from '#lib/api/kinds/node-pool.ts';
import { ANNOTATION } from '#lib/api/words.ts';
import { judge } from './health.ts';
import { keepsOthersFromJoining } from './joining.ts';
import type { PoolMachine } from './machines.ts';
import { deferred, heldAll, heldMember, roomOf, type SlotHealth } from './remediation-limits.ts';
import { type Note, type PlanInput, type Slot, slotsOf } from './slot.ts';
import { isExempt, openRemediations, successionOf } from './succession.ts';

export interface RemediationPlan {
  readonly kept: readonly Slot[];
  readonly notes: readonly Note[];
  readonly releases: readonly Release[];
  /** Machines that were given up, in this call or before, and have no replacement yet. */
  readonly pending: readonly PendingRemediation[];
  /** Machines that are released once the status records them. */
  readonly recording: readonly PendingRemediation[];
  readonly nextCheck: number | undefined;
}

export function planRemediation(input: PlanInput): RemediationPlan {
  const slots = slotsOf(input.machines);
  const all = slots.flatMap(([slot, members]) => healthOf(input, slot, members));
  // In a paused pool it is the first of the surplus.
  const succeeded = input.pool.spec.paused ? [] : all.filter((one) => hasSuccessor(input, one));
  const takenBack = mayReplace(input) ? all.filter((one) => !succeeded.includes(one) && isTakenBack(one)) : [];
  const watched = all.filter((one) => !succeeded.includes(one) && !takenBack.includes(one));
  const given = giveUp(input, watched);
  const leaving = [...succeeded, ...takenBack, ...given.givenUp];
  const gone = new Set(leaving.map(({ slot }) => slot.number));
  return {
    kept: slots.map(([slot]) => slot).filter(({ number }) => !gone.has(number)),
    notes: [...takenBack.map(replaced), ...given.notes],
    releases: leaving.flatMap(releasesOf),
    pending: given.pending,
    recording: given.recording,
    nextCheck: earliest([...watched.map(({ health }) => health.due), ...given.dues]),
  };
}

interface GivenUp {
  readonly givenUp: readonly SlotHealth[];
  readonly notes: readonly Note[];
  readonly pending: readonly PendingRemediation[];
  readonly recording: readonly PendingRemediation[];
  readonly dues: readonly (number | undefined)[];
}

function giveUp(input: PlanInput, watched: readonly SlotHealth[]): GivenUp {
  const pending = openRemediations(input);
  const unhealthy = watched.filter(({ health }) => health.state === 'Unhealthy').sort(byUrgency(input));
  const [first] = unhealthy;
  const held = first === undefined ? undefined : heldAll(input, watched, first);
  if (first === undefined || held !== undefined) {
    const notes = held === undefined ? underWay(watched, pending) : [held];
    return { givenUp: [], notes, pending, recording: [], dues: [] };
  }
  const free = unhealthy.filter((one) => heldMember(input, one) === undefined);
  const stuck = free.length === 0 ? heldMember(input, first) : undefined;
  if (stuck !== undefined)
    return { givenUp: [], notes: [...underWay(watched, pending), stuck], pending, recording: [], dues: [] };
  const verdicts = free.map((one) => ({ one, next: successionOf(input, one.machine) }));
  const due = verdicts.flatMap(({ one, next }) => ('heldBy' in next ? [] : [{ one, next }]));
  const early = verdicts.flatMap(({ one, next }) => ('heldBy' in next ? [{ one, next }] : []));
  const room = roomOf(input, watched, pending);
  // Replacements of earlier ones are missing: what keeps them from joining is given up first, or nothing ever happens.
  const blocking = isControlPlane(input) ? due.filter(({ one }) => keepsOthersFromJoining(input, one.machine)) : [];
  const now = room.count > 0 ? due.slice(0, room.count) : blocking.slice(0, room.countIfNoneCanJoin);
  const recorded = now.filter(({ one }) => isRecorded(input, one));
  const recording = now.filter(({ one }) => !isRecorded(input, one));
  return {
    givenUp: recorded.map(({ one }) => one),
    notes: [
      ...(now.length === 0 ? underWay(watched, pending) : []),
      ...now.map(({ one }) => replaced(one)),
      ...early.map(({ one, next }) => deferred(one, next.heldBy, next.why)),
      ...due.filter((one) => !now.includes(one)).map(({ one }) => deferred(one, 'RemediationDeferred', room.otherwise)),
    ],
    pending: [...pending, ...recorded.map(({ next }) => next)].slice(0, MAX_PENDING),
    recording: recording.map(({ next }) => next),
    dues: early.map(({ next }) => next.due),
  };
}

/**
 * A machine is deleted once the status records that it was given up: otherwise it would be forgotten, with the number
 * of failures before it.
 */
function isRecorded({ pending }: PlanInput, { members }: SlotHealth): boolean {
  return pending.some(({ machine }) => members.some(({ name }) => name === machine));
}

/** The maximum in the schema of the status. */
export const MAX_PENDING = 50;

const BY_HEALTH = ['Healthy', 'Starting', 'Failing', 'Unhealthy'] as const;

/** A slot is as healthy as its best machine: during a replacement, the next step handles both. */
function healthOf({ pool, now }: PlanInput, slot: Slot, members: readonly PoolMachine[]): readonly SlotHealth[] {
  if (members.some(isExempt)) return [];
  const judged = members.map((machine) => ({ machine, health: judge(machine, pool.spec.health, now) }));
  const [best] = judged.toSorted((a, b) => BY_HEALTH.indexOf(a.health.state) - BY_HEALTH.indexOf(b.health.state));
  return best === undefined ? [] : [{ slot, members, ...best }];
}

/**
 * The cloud took back every machine of the slot. They are replaced at once: no limit of the health policy counts them,
 * and no retry waits, since the next one does not fail for the same reason.
 */
function isTakenBack({ members }: SlotHealth): boolean {
  return members.every((machine) => machine.takenBack);
}

function mayReplace({ pool, noNewMachines }: PlanInput): boolean {
  return !pool.spec.paused && noNewMachines === undefined;
}

/** Its replacement already exists: it was given up before and only waits to be deleted. */
function hasSuccessor({ machines }: PlanInput, { members, health }: SlotHealth): boolean {
  if (health.state !== 'Unhealthy') return false;
  const names = new Set(members.map(({ name }) => name));
  return machines.some((machine) => !members.includes(machine) && names.has(machine.remediationFor?.machine ?? ''));
}

/**
 * First machines with a requested replacement, then lost ones, then those that never were nodes. In a control plane
 * those that never were nodes are first: no member of etcd is removed while one may still join.
 */
function byUrgency(input: PlanInput): (a: SlotHealth, b: SlotHealth) => number {
  const urgencyIn = ({ machine }: SlotHealth): number =>
    isControlPlane(input) && !machine.isNode ? -1 : urgencyOf(machine);
  return (a, b) => urgencyIn(a) - urgencyIn(b) || a.slot.number - b.slot.number;
}

function isControlPlane({ pool }: PlanInput): boolean {
  return pool.spec.role === 'control-plane';
}

function urgencyOf({ annotations, lost, isNode }: PoolMachine): number {
  if (ANNOTATION.remediateMachine in annotations) return 0;
  if (lost) return 1;
  return isNode ? 3 : 2;
}

function releasesOf({ members, health }: SlotHealth): readonly Release[] {
  return members.map(({ name }) => ({ name, why: 'Unhealthy', message: `it ${health.because} and is being replaced` }));
}

function replaced({ machine, health }: SlotHealth): Note {
  const message = `Machine ${machine.name} ${health.because} and is being replaced`;
  return { kind: 'Remediating', message, announce: true };
}

/** Machines that were given up earlier and whose replacement is not a Node yet. */
function underWay(watched: readonly SlotHealth[], pending: readonly PendingRemediation[]): readonly Note[] {
  const joining = watched.flatMap(({ slot, machine, health }) =>
    slot.remediationFor !== undefined && health.state === 'Starting'
      ? [`Machine ${machine.name}, which replaces ${slot.remediationFor.machine}, has not become a Node yet`]
      : [],
  );
  const open = pending.map(({ machine }) => `Machine ${machine} was given up and is being replaced`);
  return [...open, ...joining].map((message) => ({ kind: 'Remediating', message }));
}

export function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
