/** How the objects of a group count in its budget when a call begins. */
import type { Group } from '#lib/api/contracts/group.ts';
import { storeOf } from '../machine.ts';
import type { GroupState } from './group.ts';
import { orderedOf } from './order.ts';
import { type Busy, Quorum } from './quorum.ts';
import { type Budget, Room, type MemberWeight } from './room.ts';
import type { SlotPlan } from './slot.ts';
import type { Member } from './step.ts';

export interface GroupBudget {
  readonly room: Room;
  readonly weightOf: (member: Member) => MemberWeight;
}

export function groupBudgetOf(group: GroupState, plans: readonly SlotPlan[], budget: Budget): GroupBudget {
  const { slots, released, kept, received } = group;
  const members = [...slots.flatMap((slot) => slot.members), ...released.map(({ member }) => member), ...kept];
  const coming = new Set([...plans.flatMap(comingOf), ...members.filter(neverServed)]);
  const weightOf = (member: Member): MemberWeight => ({
    name: member.name,
    available: isAvailable(member),
    ready: member.ready && !isStopping(member),
    counts: !coming.has(member),
    votes: member.isNode,
    well: member.isNode && member.ready && !isStopping(member),
  });
  const weights = members.map(weightOf);
  const open = members.map(({ object }) => orderedOf(object)).filter(({ progress }) => isOpen(progress));
  const room = new Room(budget, {
    total: members.length + budget.leaving,
    available: weights.filter(({ available }) => available).length,
    undisruptive: open.filter(({ order }) => order?.disruptive === false).length,
    counting: weights.filter(({ counts }) => counts).length,
    quorum: received.quorum ? new Quorum(weights, busyWith(members, received), storeOf(members[0]?.object)) : undefined,
  });
  return { room, weightOf };
}

/** Running steps of members, for any cause. */
function busyWith(members: readonly Member[], { leaving }: Group): readonly Busy[] {
  return [
    ...(leaving > 0 ? [{ until: 'the machine that is being deleted is gone' }] : []),
    ...members.flatMap((member): readonly Busy[] => {
      const { name } = member;
      if (member.unobserved) return [{ name, until: `Machine ${name} is observed again` }];
      if (!member.isNode) return [{ name, until: `Machine ${name} has become a Node or is given up` }];
      return isStopping(member) ? [{ name, until: `the update of Machine ${name} has ended` }] : [];
    }),
  ];
}

/** Objects that are up to date and not ready yet. */
function comingOf({ state, surplus, old, outdated }: SlotPlan): readonly Member[] {
  const others = new Set([...surplus, old, outdated].map((candidate) => candidate?.member));
  return state.members.filter((member) => !member.available && !others.has(member));
}

function neverServed({ available, isNode }: Member): boolean {
  return !available && !isNode;
}

function isOpen(progress: string): boolean {
  return progress === 'Pending' || progress === 'UnderWay';
}

/** An object whose node is drained, or will be, counts as unavailable from the start of the update. */
function isStopping({ object }: Member): boolean {
  const { progress, order } = orderedOf(object);
  return isOpen(progress) && order?.disruptive !== false;
}

function isAvailable(member: Member): boolean {
  return member.available && !isStopping(member);
}
