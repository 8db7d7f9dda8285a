/**
 * How a Node leaves the store of its cluster: one at a time, only while the remaining members have a healthy majority,
 * and never as the last one. The caller asks again right before it acts, because members may change.
 */
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { type MembershipKind, MEMBERSHIPS, type WorkloadNodeMembership } from '#lib/api/kinds/workload-node.ts';
import type { EtcdMember } from './situation.ts';

export type Membership =
  | { readonly way: 'Left' }
  | { readonly way: 'Leave'; readonly member: string; readonly leaderTo?: string }
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
export function membershipOf(name: string, members: readonly EtcdMember[], kind?: MembershipKind): Membership {
  const store = (kind && OTHER_STORES[kind]) ?? ETCD;
  const own = members.find((member) => member.name === name);
  if (own === undefined) {
    // A member that has not started has no name yet: it may be this one.
    const unnamed = members.some((member) => member.name === '');
    return unnamed ? waiting(`a member of ${store.name} has not started, so its Node is not known`) : { way: 'Left' };
  }
  if (own.leaving === 'Out') return { way: 'Leave', member: name };
  if (own.leaving === 'Asked') return waiting(`Node "${name}" was told to leave ${store.name}, and is still a member`);
  const others = members.filter((member) => member !== own && member.leaving !== 'Out');
  const another = others.find(({ leaving }) => leaving === 'Asked');
  if (another !== undefined) return waiting(`Node "${another.name}" leaves ${store.name} first`);
  return leaveOthers(own, others, store);
}

function leaveOthers(own: EtcdMember, others: readonly EtcdMember[], store: Store): Membership {
  // Without it the majority is the same.
  if (own.isLearner === true) return { way: 'Leave', member: own.name };
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
  return { way: 'Leave', member: own.name, ...(handsOver ? { leaderTo: successor.name } : {}) };
}

function waiting(message: string): Membership {
  return { way: 'Wait', reason: 'Waiting', message };
}

function losing(message: string): Membership {
  return { way: 'Wait', reason: 'WouldLoseQuorum', message };
}
