/**
 * Decides how each slot gets from what exists to what is desired: nothing, a patch, an update in place, or a successor
 * that is made before the old object goes. Derived from what is observed at every call; no plan is stored anywhere.
 */
import type { KubeObject } from '#lib/api/json.ts';
import type { Claims } from '../claims.ts';
import { changesBetween } from '../diff.ts';
import type { InPlaceUpdateInput } from '../input.ts';
import type { Rulebook } from '../rulebook.ts';
import { decideAll } from '../rules.ts';
import { orderedOf, orderFor } from './order.ts';
import { type Budget, Room } from './room.ts';
import { planSlot, type SlotPlan } from './slot.ts';
import {
  applied,
  awaited,
  type Candidate,
  created,
  drop,
  frozen,
  type Member,
  type SlotState,
  type Step,
} from './step.ts';

/** Everything besides the objects that a plan is made from. */
export interface Policy {
  readonly input: InPlaceUpdateInput;
  readonly book: Rulebook;
  readonly claims: Claims;
  readonly composite: KubeObject;
  readonly budget: Budget;
}

export function planUpdate(slots: readonly SlotState[], policy: Policy): readonly Step[] {
  const plans = slots.map((state) => planSlot(state, candidatesOf(state, policy)));
  const room = roomFor(plans, policy.budget);
  const settled = plans.flatMap(({ steps }) => steps);
  const stopped = stoppedBy(settled);
  const updates = plans.filter(({ outdated }) => outdated !== undefined).sort(byReadiness);
  // While machines are updated and none may be missing, one that has a successor stands in for the one that is updated.
  const updating = updates.length > 0 || settled.some(isDraining);
  const surplus = plans.flatMap((plan) => plan.surplus.map((one) => release(plan.state.slot, one, room, updating)));
  const missing = plans.filter(({ state }) => state.members.length === 0).map(({ state }) => create(state, room));
  const updated = updates.flatMap((plan) => update(plan, { policy, room, stopped, settled, surplus }));
  // Those that are not ready first: replacing them costs nothing.
  const outdated = plans.filter(({ old }) => old !== undefined).sort(byReadiness);
  const replaced = outdated.flatMap((plan) => replace(plan, policy.budget, room, stopped));
  return [...settled, ...surplus, ...missing, ...updated, ...replaced];
}

function candidatesOf(state: SlotState, { input, book, claims, composite, budget }: Policy): readonly Candidate[] {
  const { desired } = state;
  return state.members.map((member) => {
    const about = { book, claims, composite, desired, fallback: budget.fallback, observed: member.object };
    const changes = changesBetween(member.object, desired, input.ownership);
    return { member, fields: decideAll(changes, about), ordered: orderedOf(member.object) };
  });
}

/** One whose node is drained, or is about to be, counts as unavailable from the order on. */
function roomFor(plans: readonly SlotPlan[], budget: Budget): Room {
  const members = plans.flatMap(({ state }) => state.members);
  const open = members.map((member) => orderedOf(member.object)).filter(({ progress }) => isOpen(progress));
  const gentle = open.filter(({ order }) => order?.disruptive === false).length;
  return new Room(budget, {
    total: members.length + budget.leaving,
    available: members.filter(isAvailable).length,
    gentle,
    counting: members.length - plans.flatMap(coming).length,
  });
}

/** Objects that are what they should be and not ready yet. */
function coming({ state, surplus, old, outdated }: SlotPlan): readonly Member[] {
  const others = new Set([...surplus, old, outdated].map((candidate) => candidate?.member));
  return state.members.filter((member) => !member.available && !others.has(member));
}

function isOpen(progress: string): boolean {
  return progress === 'Pending' || progress === 'UnderWay';
}

function isAvailable({ object, available }: Member): boolean {
  const { progress, order } = orderedOf(object);
  return available && !(isOpen(progress) && order?.disruptive !== false);
}

function isDraining({ action, ordered }: Step): boolean {
  return action === 'Update' && ordered?.order?.disruptive !== false;
}

/** An update that failed stops the rest until somebody changes the target. */
function stoppedBy(settled: readonly Step[]): Step | undefined {
  return settled.find(({ ordered }) => ordered?.progress === 'Failed');
}

function byReadiness(a: SlotPlan, b: SlotPlan): number {
  return Number((a.old ?? a.outdated)?.member.available) - Number((b.old ?? b.outdated)?.member.available);
}

/** It goes when that leaves enough that are ready. */
function release(slot: string, one: Candidate & { readonly reason: string }, room: Room, updating: boolean): Step {
  if (one.member.available && updating && room.needsStandIn())
    return frozen('Keep', slot, one, 'it stands in for the one that is updated', 'update.maxUnavailable');
  if (room.takeUnavailable(isAvailable(one.member))) return drop(slot, one, one.reason);
  return frozen('Keep', slot, one, 'it stays until enough others are ready', 'update.maxUnavailable');
}

interface Surroundings {
  readonly policy: Policy;
  readonly room: Room;
  readonly stopped: Step | undefined;
  readonly settled: readonly Step[];
  readonly surplus: readonly Step[];
}

function update({ state, outdated }: SlotPlan, around: Surroundings): readonly Step[] {
  if (outdated === undefined) return [];
  const { policy, room, stopped } = around;
  const order = orderFor(outdated.fields, outdated.ordered, state.desired);
  const waits = (action: 'Keep' | 'Hold', reason: string, blockedBy: string): Step =>
    applied(state, outdated, ['Patch'], undefined, { action, upToDate: false, reason, blockedBy });
  if (policy.budget.strategy === 'OnDelete')
    return [waits('Hold', 'it is replaced when somebody deletes it (OnDelete)', 'update.strategy')];
  if (stopped !== undefined) return [waits('Keep', `the update of ${stopped.name} failed`, stopped.name)];
  if (begins(outdated, order?.disruptive ?? true, room)) {
    const reason = `its update ${order?.id ?? ''} begins`;
    return [applied(state, outdated, ['Patch', 'Update'], order, { action: 'Update', upToDate: false, reason })];
  }
  if (policy.budget.maxUnavailable === 0 && policy.budget.fallback === 'Hold' && isQuiet(around))
    return [waits('Hold', 'its update makes it unavailable, and maxUnavailable is 0', 'update.maxUnavailable')];
  if (isQuiet(around) && order?.disruptive !== false && room.takeStandIn())
    return [
      frozen('Keep', state.slot, outdated, 'it stands in for others that are updated', 'update.maxUnavailable'),
      created(state, outdated.member),
    ];
  return [waits('Keep', 'its update waits for its turn', 'update.maxUnavailable')];
}

/** An order that takes the place of one that did not begin takes its room, too. */
function begins({ member, ordered }: Candidate, disruptive: boolean, room: Room): boolean {
  if (disruptive) return room.takeUnavailable(isAvailable(member));
  return ordered.progress === 'Pending' || room.takeGentle();
}

/** Nothing is under way that will make room. */
function isQuiet({ settled, surplus }: Surroundings): boolean {
  return [...settled, ...surplus].every(
    (step) => step.action !== 'Update' && (step.upToDate || step.action !== 'Keep'),
  );
}

function replace({ state, old }: SlotPlan, budget: Budget, room: Room, stopped: Step | undefined): readonly Step[] {
  if (old === undefined) return [];
  const { slot } = state;
  if (budget.strategy === 'OnDelete')
    return [
      applied(state, old, ['Patch'], undefined, {
        action: 'Hold',
        upToDate: false,
        reason: 'it is replaced when somebody deletes it (OnDelete)',
        blockedBy: 'update.strategy',
      }),
    ];
  if (stopped !== undefined) return [frozen('Keep', slot, old, `the update of ${stopped.name} failed`, stopped.name)];
  if (room.takeSurge())
    return [frozen('Keep', slot, old, 'it stays until its successor is ready'), created(state, old.member)];
  if (room.takeUnavailable(isAvailable(old.member))) return [drop(slot, old, 'it makes room for its successor')];
  return [frozen('Keep', slot, old, 'its successor waits for its turn', 'update.maxSurge')];
}

function create(state: SlotState, room: Room): Step {
  return room.takeSurge() ? created(state, undefined) : awaited(state);
}
