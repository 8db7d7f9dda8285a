/**
 * How a Node leaves the store of its cluster: one at a time, only while the remaining members have a healthy majority,
 * and never as the last one. The caller asks again right before it acts, because members may change.
 */
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { type MembershipKind, MEMBERSHIPS, type WorkloadNodeMembership } from '#lib/api/kinds/workload-node.ts';
import type { MemberRef } from './decision.ts';
import type { EtcdMember } from './situation.ts';

export type Membership =
  | { readonly way: 'Left' }
  | { readonly way: 'Leave'; readonly member: MemberRef; readonly leaderTo?: string }
  | { readonly way: 'Wait'; readonly reason: 'WouldLoseQuorum' | 'Waiting'; readonly message: string };

/** What an object says about the store that its Node must leave; undefined: there is none. */
export function membershipAsked(object: KubeObject): WorkloadNodeMembership | undefined {
  const kind = MEMBERSHIPS.find((one) => one === stringAt(object, 'spec', 'membership', 'kind'));
  if (kind === undefined) return at(object, 'spec', 'etcdMember') === true ? { kind: 'KubeadmEtcd' } : undefined;
  const name = stringAt(object, 'spec', 'membership', 'secretRef', 'name');
  return { kind, ...(name === undefined ? {} : { secretRef: { name } }) };
}

/** What a store is called, and how many members have to stay; by kind where it differs from those of etcd. */
const OTHER_STORES: Readonly<Partial<Record<MembershipKind, Store>>> = {
  // Nobody moves the leadership of two members, and one that leads cannot be removed by the other.
  MicroK8s: { name: 'dqlite', least: 2 },
};
const ETCD: Store = { name: 'etcd', least: 1 };

interface Store {
  readonly name: string;
  readonly least: number;
}

/** @param kind  of the store @default any of etcd */
export function membershipOf(member: MemberRef, members: readonly EtcdMember[], kind?: MembershipKind): Membership {
  const store = (kind && OTHER_STORES[kind]) ?? ETCD;
  const own = memberAmong(members, member);
  if (own === undefined) {
    // A member that has not started has no name yet: it may be this one.
    const unnamed = members.some(({ name }) => name === '');
    return unnamed ? waiting(`a member of ${store.name} has not started, so its Node is not known`) : { way: 'Left' };
  }
  if (own.leaving === 'Out') return { way: 'Leave', member: refOf(own) };
  if (own.leaving === 'Asked')
    return waiting(`Node "${own.name}" was told to leave ${store.name}, and is still a member`);
  const others = members.filter((one) => one !== own && one.leaving !== 'Out');
  const another = others.find(({ leaving }) => leaving === 'Asked');
  if (another !== undefined) return waiting(`Node "${another.name}" leaves ${store.name} first`);
  return leaveOthers(own, others, store);
}

/** By its id; a store that was restored has given its members others, so then by its name. */
export function memberAmong<Member extends MemberRef>(
  members: readonly Member[],
  { name, id }: MemberRef,
): Member | undefined {
  const byId = id === undefined ? undefined : members.find((member) => member.id === id);
  return byId ?? members.find((member) => member.name === name);
}

/** The member that a Node runs: as it was remembered while the Node was well, or else by the name of the Node. */
export function memberOf(object: KubeObject, node: string): MemberRef {
  const id = stringAt(object, 'status', 'member', 'id');
  return { name: stringAt(object, 'status', 'member', 'name') ?? node, ...(id === undefined ? {} : { id }) };
}

export function refOf({ name, id }: MemberRef): MemberRef {
  return { name, ...(id === undefined ? {} : { id }) };
}

function leaveOthers(own: EtcdMember, others: readonly EtcdMember[], store: Store): Membership {
  // Without it the majority is the same.
  if (own.isLearner === true) return { way: 'Leave', member: refOf(own) };
  const voters = others.filter(({ isLearner }) => isLearner !== true);
  if (voters.length === 0) return losing(`Node "${own.name}" is the last ${store.name} member`);
  if (voters.length < store.least)
    return losing(
      `${store.name} would keep ${voters.length} of ${voters.length + 1} members, and needs ${store.least}`,
    );
  const healthy = voters.filter(({ isHealthy }) => isHealthy);
  const quorum = Math.floor(voters.length / 2) + 1;
  if (healthy.length < quorum)
    return losing(
      `${store.name} would keep ${healthy.length} healthy of ${voters.length} members, and needs ${quorum}`,
    );
  const [successor] = healthy;
  const handsOver = own.isLeader && successor !== undefined;
  return { way: 'Leave', member: refOf(own), ...(handsOver ? { leaderTo: successor.name } : {}) };
}

function waiting(message: string): Membership {
  return { way: 'Wait', reason: 'Waiting', message };
}

function losing(message: string): Membership {
  return { way: 'Wait', reason: 'WouldLoseQuorum', message };
}
