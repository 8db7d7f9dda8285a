/**
 * Decides how each object gets to the desired state: no change, a patch, an in-place update, a replacement that is
 * created before the old object is deleted, or its deletion. It is derived from what is observed on every call; no plan
 * is stored.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { marked } from '../bookkeeping.ts';
import type { Claims } from '../claims.ts';
import { changesBetween } from '../diff.ts';
import type { InPlaceUpdateInput } from '../input.ts';
import type { Rulebook } from '../rulebook.ts';
import { decideAll } from '../rules.ts';
import type { GroupState, Released } from './group.ts';
import { orderedOf, orderFor } from './order.ts';
import { HELD } from './reasons.ts';
import type { Refusal } from './quorum.ts';
import type { Budget } from './room.ts';
import { planSlot, type SlotPlan, type Surplus } from './slot.ts';
import { type GroupBudget, groupBudgetOf } from './group-budget.ts';
import {
  applied,
  awaited,
  type Candidate,
  created,
  drop,
  frozen,
  type Member,
  replacedBy,
  type SlotState,
  type Step,
} from './step.ts';

/** The input of a plan besides the objects. */
export interface Policy {
  readonly input: InPlaceUpdateInput;
  readonly book: Rulebook;
  readonly claims: Claims;
  readonly composite: KubeObject;
  readonly budget: Budget;
}

/** The input of a decision about one slot besides the slot. */
interface GroupContext {
  readonly policy: Policy;
  readonly groupBudget: GroupBudget;
  /** Names of objects with a requested replacement, for any strategy. */
  readonly asked: ReadonlySet<string>;
  /** Name of an object whose in-place update failed: no other slot begins to change. */
  readonly failed: string | undefined;
  /** New objects fail: only `slots`, which retry, may begin to change. */
  readonly stopped: GroupState['received']['stopped'];
  /** Whether objects are missing from the observation, possibly those whose deletion was waited for. */
  readonly blind: boolean;
  readonly settled: readonly Step[];
  readonly surplus: readonly Step[];
  /** How many objects need an in-place update that has not begun. */
  readonly updates: number;
}

/**
 * In the order in which they use the budget: first objects that are no longer desired are deleted, then missing ones
 * are created, then existing ones change.
 */
export function planUpdate(group: GroupState, policy: Policy): readonly Step[] {
  const asked = new Set(group.received.replacements);
  const plans = group.slots
    .map((state) => ({ ...state, desired: marked(state.desired) }))
    .map((state) => planSlot(state, candidatesOf(state, policy), asked));
  const groupBudget = groupBudgetOf(group, plans, policy.budget);
  const settled = plans.flatMap(({ steps }) => steps);
  const updates = plans.filter(({ outdated }) => outdated !== undefined).sort(byReadiness);
  // While machines are updated and none may be unavailable, a surplus machine is kept as a temporary replacement.
  const failed = failedOf(settled);
  const goesOn = policy.budget.strategy === 'RollingUpdate' && failed === undefined;
  const updating = (goesOn && updates.length > 0) || settled.some(isStopping);
  const surplus = [
    ...group.released.map((one) => letGo(one, groupBudget, updating)),
    ...plans.flatMap((plan) => plan.surplus.map((one) => succeeded(plan.state.slot, one, groupBudget, updating))),
  ];
  const missing = plans
    .filter(({ state }) => state.members.length === 0)
    .map(({ state }) => create(state, groupBudget));
  const { stopped, unobserved } = group.received;
  const blind = unobserved.length > 0;
  const about = { policy, asked, groupBudget, failed, stopped, blind, settled, surplus };
  const context: GroupContext = { ...about, updates: updates.length };
  const updated = updates.flatMap((plan) => update(plan, context));
  // Machines that are not ready first: replacing them costs no availability.
  const outdated = plans.filter(({ old }) => old !== undefined).sort(byReadiness);
  const replaced = outdated.flatMap((plan) => replace(plan, context));
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

function isStopping({ action, ordered }: Step): boolean {
  return action === 'Update' && ordered?.order?.disruptive !== false;
}

/** A failed update stops the rest until its target is changed. */
function failedOf(settled: readonly Step[]): string | undefined {
  return settled.find(({ ordered }) => ordered?.progress === 'Failed')?.name;
}

/**
 * Machines that are not ready first: changing them costs no availability. After them come machines that are ready but
 * not available yet.
 */
function byReadiness(a: SlotPlan, b: SlotPlan): number {
  return readinessOf(a) - readinessOf(b);
}

function readinessOf({ old, outdated }: SlotPlan): number {
  const member = (old ?? outdated)?.member;
  return Number(member?.available) * 2 + Number(member?.ready);
}

/** An object that is no longer desired is deleted when the budget allows; until then it stays exactly as it is. */
function letGo({ slot, member, release }: Released, groupBudget: GroupBudget, updating: boolean): Step {
  const one = { member, fields: [], ordered: orderedOf(member.object) };
  const { why, message } = release;
  const stays = (reason: string, blockedBy: string): Step => ({
    ...frozen('Keep', slot, one, `${message}; ${reason}`, blockedBy),
    release: why,
  });
  const early = notYet(member);
  if (early !== undefined) return stays(early.until, early.blockedBy);
  const weight = groupBudget.weightOf(member);
  if (weight.ready && updating && groupBudget.room.needsStandIn) return stays(STANDS_IN, 'update.maxUnavailable');
  const refused = why === 'Surplus' ? groupBudget.room.remove(weight) : groupBudget.room.discard(weight);
  if (refused !== undefined) return stays(`it waits until ${refused.until}`, refused.blockedBy);
  return { ...drop(slot, one, message), release: why };
}

const UNTIL_REPLACED = 'it is kept until its replacement is ready';

const STANDS_IN = 'temporary replacement while others are updated, deleted once they are';

/** Why an object must not be deleted in this call. */
function notYet({ name, recorded, unobserved }: Member): Refusal | undefined {
  if (unobserved) return { blockedBy: name, until: 'it waits until it is observed again' };
  if (!recorded) return { blockedBy: 'status.nextSerial', until: 'it waits until status.nextSerial is recorded' };
  return undefined;
}

/** An object that has a replacement. */
function succeeded(slot: string, one: Surplus, groupBudget: GroupBudget, updating: boolean): Step {
  const replaced = one.replaced === undefined ? {} : { replaced: one.replaced };
  const stays = (reason: string, blockedBy: string): Step => ({
    ...frozen('Keep', slot, one, reason, blockedBy),
    ...replaced,
  });
  const early = notYet(one.member);
  if (early !== undefined) return stays(early.until, early.blockedBy);
  const weight = groupBudget.weightOf(one.member);
  if (weight.ready && updating && groupBudget.room.needsStandIn) return stays(STANDS_IN, 'update.maxUnavailable');
  const refused = groupBudget.room.remove(weight);
  if (refused === undefined) return { ...drop(slot, one, one.reason), ...replaced };
  return stays(`${one.reason}; it waits until ${refused.until}`, refused.blockedBy);
}

function update({ state, outdated }: SlotPlan, context: GroupContext): readonly Step[] {
  if (outdated === undefined) return [];
  const { policy, groupBudget, failed, stopped } = context;
  const order = orderFor(outdated.fields, outdated.ordered, state.desired);
  const waits = (action: 'Keep' | 'Hold', reason: string, blockedBy: string): Step =>
    applied(state, outdated, ['Patch'], undefined, { action, upToDate: false, reason, blockedBy });
  if (policy.budget.strategy === 'OnDelete') return [waits('Hold', ON_DELETE, 'update.strategy')];
  if (failed !== undefined) return [waits('Keep', waitsForFailed(failed), failed)];
  const disruptive = order?.disruptive ?? true;
  const refused = begins(outdated, disruptive, groupBudget);
  if (refused === undefined) {
    const reason = `its update ${order?.id ?? ''} begins`;
    return [applied(state, outdated, ['Patch', 'Update'], order, { action: 'Update', upToDate: false, reason })];
  }
  if (policy.budget.maxUnavailable === 0 && policy.budget.fallback === 'Hold' && isQuiet(context))
    return [waits('Hold', HELD.unavailable(), 'update.maxUnavailable')];
  const mayReplace = (stopped?.slots.includes(state.slot) ?? true) && notYet(outdated.member) === undefined;
  if (mayReplace && isQuiet(context) && disruptive && groupBudget.room.addStandIn()) {
    const standIn = created(state, outdated.member);
    const room = context.updates > 1 ? ', which makes room to update the others' : '';
    const replaced = `${replacedBy(standIn.name)}${room}`;
    return [{ ...frozen('Keep', state.slot, outdated, UNTIL_REPLACED), replaced }, standIn];
  }
  return [waits('Keep', `its update waits until ${refused.until}`, refused.blockedBy)];
}

const ON_DELETE = 'it is replaced when you delete it: update.strategy is OnDelete';

function waitsForFailed(name: string): string {
  return `it waits until the failed update of Machine ${name} is fixed`;
}

/** An update that replaces one that did not begin uses its part of the budget, too. */
function begins(
  { member, ordered }: Candidate,
  disruptive: boolean,
  { room, weightOf }: GroupBudget,
): Refusal | undefined {
  if (disruptive) return room.stop(weightOf(member));
  return ordered.progress === 'Pending' ? undefined : room.touch();
}

/** Nothing is running that would free budget. */
function isQuiet({ blind, settled, surplus }: GroupContext): boolean {
  if (blind) return false;
  return [...settled, ...surplus].every(
    (step) => step.action !== 'Update' && (step.upToDate || step.action !== 'Keep'),
  );
}

function replace({ state, old }: SlotPlan, context: GroupContext): readonly Step[] {
  if (old === undefined) return [];
  const { policy, groupBudget, asked, failed, stopped, surplus } = context;
  const { slot } = state;
  const replaced = replacedBy(undefined);
  const stays = (reason: string, blockedBy: string): readonly Step[] => [
    { ...frozen('Keep', slot, old, reason, blockedBy), replaced },
  ];
  if (policy.budget.strategy === 'OnDelete' && !asked.has(old.member.name))
    return [
      applied(state, old, ['Patch'], undefined, {
        action: 'Hold',
        upToDate: false,
        reason: ON_DELETE,
        blockedBy: 'update.strategy',
      }),
    ];
  if (failed !== undefined) return stays(waitsForFailed(failed), failed);
  // An object that was never ready can be changed, even if others fail.
  if (stopped !== undefined && !stopped.slots.includes(slot) && old.member.isNode)
    return stays(stopped.message, 'failing machines');
  const crowded = groupBudget.room.add('Change');
  if (crowded === undefined)
    return [{ ...frozen('Keep', slot, old, UNTIL_REPLACED), replaced }, created(state, old.member)];
  // Objects that are no longer desired are deleted first.
  const first = surplus.find(({ action, release }) => action === 'Keep' && release !== undefined);
  if (first !== undefined) return stays(`its replacement waits until Machine ${first.name} is deleted`, first.name);
  const refused = notYet(old.member) ?? groupBudget.room.remove(groupBudget.weightOf(old.member));
  if (refused === undefined)
    return [{ ...drop(slot, old, 'it is deleted to make room for its replacement'), replaced }];
  return stays(`its replacement waits until ${crowded.until}`, crowded.blockedBy);
}

function create(state: SlotState, { room }: GroupBudget): Step {
  const refused = room.add('Missing');
  return refused === undefined ? created(state, undefined) : awaited(state, refused);
}
