/** Who is a member, by the objects of k3s, RKE2 and k0s. */
import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { k0sMembers, LEAVE_ANNOTATIONS, supervisedMembers } from './members.ts';

function node(name: string, annotations: Readonly<Record<string, string>> = {}, ...more: readonly JsonObject[]) {
  const conditions = [{ type: 'Ready', status: 'True' }, ...more];
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, annotations }, status: { conditions } } as KubeObject;
}

const HEALTHY = { name: 'a', isHealthy: true, isLeader: false };

describe('a Node of k3s or RKE2', () => {
  const { remove, removed, member } = LEAVE_ANNOTATIONS.RKE2;

  test.for([
    ['is a member', node('a', { [member]: 'a-1' }), [{ ...HEALTHY, id: 'a-1' }]],
    [
      'is leaving once it was told to',
      node('a', { [member]: 'a-1', [remove]: 'true' }),
      [{ ...HEALTHY, id: 'a-1', leaving: 'Asked' }],
    ],
    ['has left when the supervisor says so', node('a', { [member]: 'a-1', [remove]: 'true', [removed]: 'a-1' }), []],
    ['has left when the supervisor also took its name away', node('a', { [remove]: 'true', [removed]: 'a-1' }), []],
    [
      'is a member again when it has joined since',
      node('a', { [member]: 'a-2', [removed]: 'a-1' }),
      [{ ...HEALTHY, id: 'a-2' }],
    ],
    [
      'is not healthy while it does not vote',
      node('a', { [member]: 'a-1' }, { type: 'EtcdIsVoter', status: 'False' }),
      [{ ...HEALTHY, id: 'a-1', isHealthy: false }],
    ],
  ] as const)('%s', ([, one, expected]) => {
    expect(supervisedMembers([one], LEAVE_ANNOTATIONS.RKE2)).toEqual(expected);
  });

  test('does not read the annotations of the other one', () => {
    expect(supervisedMembers([node('a', { [remove]: 'true' })], LEAVE_ANNOTATIONS.K3s)).toEqual([HEALTHY]);
  });
});

describe('a member of k0s', () => {
  const etcdMember = (joined: string, spec: JsonObject = {}) =>
    ({ apiVersion: 'e', kind: 'EtcdMember', metadata: { name: 'a' }, spec, status: statusOf(joined) }) as KubeObject;
  const statusOf = (status: string) => ({ conditions: [{ type: 'Joined', status }] });

  test.for([
    ['is one that joined', etcdMember('True'), ['a'], [HEALTHY]],
    ['is leaving once it was told to', etcdMember('True', { leave: true }), ['a'], [{ ...HEALTHY, leaving: 'Asked' }]],
    ['is out with its ControlNode left', etcdMember('False', { leave: true }), ['a'], [{ ...HEALTHY, leaving: 'Out' }]],
    ['is none without its ControlNode', etcdMember('False', { leave: true }), ['b'], []],
  ] as const)('%s', ([, one, controls, expected]) => {
    expect(k0sMembers([one], new Set(controls), [node('a')])).toEqual(expected);
  });

  test('is not healthy without a Node that is ready', () => {
    expect(k0sMembers([etcdMember('True')], new Set(), [])).toEqual([{ ...HEALTHY, isHealthy: false }]);
  });
});
