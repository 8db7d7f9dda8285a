/** When a Node may be removed from etcd. */
import { expect, test } from 'vitest';
import { membershipOf } from './membership.ts';
import type { EtcdMember } from './situation.ts';

/** Members by name; `!` is unhealthy, `*` is the leader. */
function members(...names: readonly string[]): readonly EtcdMember[] {
  return names.map((name) => ({
    name: name.replace(/[!*]/, ''),
    isHealthy: !name.endsWith('!'),
    isLeader: name.endsWith('*'),
  }));
}

const LEAVES = { way: 'Leave', member: 'a' };

test.for([
  ['a healthy one of three', members('a', 'b', 'c'), LEAVES],
  ['a broken one of three', members('a!', 'b', 'c'), LEAVES],
  ['one of two: alone the other is a majority of itself', members('a', 'b'), LEAVES],
  [
    'the leader, which hands over to a healthy member first',
    members('a*', 'b!', 'c', 'd'),
    { ...LEAVES, leaderTo: 'c' },
  ],
  ['one that is no member', members('b', 'c'), { way: 'Left' }],
] as const)('%s is removed', ([, list, expected]) => {
  expect(membershipOf('a', list)).toEqual(expected);
});

test.for([
  ['the last member', members('a'), 'Node "a" is the last etcd member'],
  [
    'one of three of which another is broken',
    members('a', 'b', 'c!'),
    'etcd would keep 1 healthy of 2 members, and needs 2',
  ],
  ['one that may be the member that has not started', members('', 'b', 'c'), /has not started/],
] as const)('%s waits', ([, list, why]) => {
  const membership = membershipOf('a', list);
  expect(membership.way).toBe('Wait');
  expect('message' in membership ? membership.message : '').toMatch(why);
});
