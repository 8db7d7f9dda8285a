/**
 * How a Node leaves etcd: only while the remaining members have a healthy majority, and never the last member. The
 * caller asks again right before it acts, because members may change.
 */
import type { EtcdMember } from './situation.ts';

export type Membership =
  | { readonly way: 'Left' }
  | { readonly way: 'Leave'; readonly member: string; readonly leaderTo?: string }
  | { readonly way: 'Wait'; readonly reason: 'WouldLoseQuorum' | 'Waiting'; readonly message: string };

export function membershipOf(name: string, members: readonly EtcdMember[]): Membership {
  const own = members.find((member) => member.name === name);
  if (own === undefined) {
    // A member that has not started has no name yet: it may be this one.
    const unnamed = members.some((member) => member.name === '');
    return unnamed
      ? { way: 'Wait', reason: 'Waiting', message: 'an etcd member has not started, so its Node is not known' }
      : { way: 'Left' };
  }
  const others = members.filter((member) => member !== own);
  if (others.length === 0)
    return { way: 'Wait', reason: 'WouldLoseQuorum', message: `Node "${name}" is the last etcd member` };
  const healthy = others.filter(({ isHealthy }) => isHealthy);
  const quorum = Math.floor(others.length / 2) + 1;
  if (healthy.length < quorum)
    return {
      way: 'Wait',
      reason: 'WouldLoseQuorum',
      message: `etcd would keep ${healthy.length} healthy of ${others.length} members, and needs ${quorum}`,
    };
  const [successor] = healthy;
  return {
    way: 'Leave',
    member: name,
    ...(own.isLeader && successor !== undefined ? { leaderTo: successor.name } : {}),
  };
}
