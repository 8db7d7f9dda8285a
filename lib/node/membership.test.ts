/** When a Node may be removed from etcd. */
import { describe, expect, test } from 'vitest';
import { memberOf, membershipAsked, membershipOf } from './membership.ts';
import type { EtcdMember } from './situation.ts';

/** Members by name; `!` is unhealthy, `*` is the leader. */
function members(...names: readonly string[]): readonly EtcdMember[] {
  return names.map((name) => ({
    name: name.replace(/[!*]/, ''),
    isHealthy: !name.endsWith('!'),
    isLeader: name.endsWith('*'),
  }));
}

function one(name: string, isHealthy = true): EtcdMember {
  return { name, isHealthy, isLeader: false };
}

const LEAVES = { way: 'Leave', member: { name: 'a' } };

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
  expect(membershipOf({ name: 'a' }, list)).toEqual(expected);
});

test.for([
  ['a learner, whose vote nobody misses', [{ ...one('a'), isLearner: true }, one('b'), one('c', false)], LEAVES],
  [
    'one beside a learner, which has no vote to lose',
    [one('a'), one('b'), { ...one('c', false), isLearner: true }],
    LEAVES,
  ],
  ['one that left, so that its records go', [{ ...one('a'), leaving: 'Out' }, one('b', false)], LEAVES],
] as const)('%s is removed', ([, list, expected]) => {
  expect(membershipOf({ name: 'a' }, list)).toEqual(expected);
});

test.for([
  ['one that was told to leave', [{ ...one('a'), leaving: 'Asked' }, one('b')], 'Node "a" was told to leave'],
  ['one while another leaves', [one('a'), { ...one('b'), leaving: 'Asked' }, one('c')], 'Node "b" leaves etcd first'],
  ['one beside learners only', [one('a'), { ...one('b'), isLearner: true }], 'Node "a" is the last etcd member'],
  ['one beside a member that left', [one('a'), { ...one('b'), leaving: 'Out' }], 'Node "a" is the last etcd member'],
] as const)('%s waits', ([, list, why]) => {
  const membership = membershipOf({ name: 'a' }, list);
  expect(membership.way).toBe('Wait');
  expect('message' in membership ? membership.message : '').toMatch(why);
});

test('two members of dqlite do not become one, and three become two', () => {
  expect(membershipOf({ name: 'a' }, members('a', 'b'), 'MicroK8s')).toMatchObject({
    way: 'Wait',
    reason: 'WouldLoseQuorum',
  });
  expect(membershipOf({ name: 'a' }, members('a', 'b', 'c'), 'MicroK8s')).toEqual(LEAVES);
  expect(membershipOf({ name: 'a' }, members('a', 'b', 'c!'), 'MicroK8s')).toMatchObject({ way: 'Wait' });
});

test.for([
  [{ membership: { kind: 'K3s' } }, { kind: 'K3s' }],
  [{ membership: { kind: 'Talos', secretRef: { name: 's' } } }, { kind: 'Talos', secretRef: { name: 's' } }],
  [{ etcdMember: true }, { kind: 'KubeadmEtcd' }],
  [{ etcdMember: true, membership: { kind: 'K0s' } }, { kind: 'K0s' }],
  [{ etcdMember: false }, undefined],
  [{ membership: { kind: 'constructor' } }, undefined],
] as const)('%j is read as %j', ([spec, expected]) => {
  expect(membershipAsked({ apiVersion: 'a', kind: 'WorkloadNode', spec })).toEqual(expected);
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
  const membership = membershipOf({ name: 'a' }, list);
  expect(membership.way).toBe('Wait');
  expect('message' in membership ? membership.message : '').toMatch(why);
});

describe('a member that is remembered by its id', () => {
  const others = ['b', 'c'].map((name) => ({ name, id: `id-${name}`, isHealthy: true, isLeader: false }));
  const own = { name: 'a', id: 'id-a', isHealthy: true, isLeader: false };

  test('leaves under that id, whatever its name is now', () => {
    const renamed = [{ ...own, name: 'renamed' }, ...others];
    expect(membershipOf({ name: 'a', id: 'id-a' }, renamed)).toEqual({
      way: 'Leave',
      member: { name: 'renamed', id: 'id-a' },
    });
  });

  test('is known by its name when the store was restored and gave out other ids', () => {
    const restored = [{ ...own, id: 'id-new' }, ...others];
    expect(membershipOf({ name: 'a', id: 'id-a' }, restored)).toMatchObject({ member: { name: 'a', id: 'id-new' } });
  });

  test('is remembered in the status of its WorkloadNode, and wins over the name of a Node that passes for it', () => {
    const object = { apiVersion: 'v1', kind: 'WorkloadNode', status: { member: { name: 'a', id: 'id-a' } } };
    expect(memberOf(object, 'worker-1')).toEqual({ name: 'a', id: 'id-a' });
    expect(membershipOf(memberOf(object, 'worker-1'), [own, ...others])).toMatchObject({ way: 'Leave' });
  });
});
