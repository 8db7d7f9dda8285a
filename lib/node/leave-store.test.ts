/** What is said while a Node cannot leave its store. */
import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { leaveStore } from './leave-store.ts';
import type { NodeSituation } from './situation.ts';

const OBJECT: KubeObject = {
  apiVersion: 'node.slipway.dev/v1alpha1',
  kind: 'WorkloadNode',
  metadata: { name: 'a' },
  spec: { membership: { kind: 'MicroK8s' } },
};
const MEMBERS = ['a', 'b', 'c'].map((name) => ({ name, isHealthy: true, isLeader: false }));

function said(seen: Partial<NodeSituation>): unknown {
  return leaveStore({ object: OBJECT, ...seen } as NodeSituation, 'a');
}

test('a store that refuses is told from one that waits, for only the first needs somebody', () => {
  const refusal = 'cannot remove 10.0.0.1:2379 from dqlite at the cluster agent of Node "b": exit status 1';
  expect(said({ etcd: { members: MEMBERS }, leave: { refusal } })).toMatchObject({
    waits: { type: 'MembershipLeft', status: 'False', reason: 'Refused', message: refusal },
  });
  const leaving = MEMBERS.map((one) => (one.name === 'b' ? { ...one, leaving: 'Asked' as const } : one));
  expect(said({ etcd: { members: leaving } })).toMatchObject({ waits: { reason: 'Waiting' } });
});
