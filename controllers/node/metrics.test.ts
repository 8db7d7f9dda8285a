import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { type Now, Metrics } from './metrics.ts';

const CREATED = '2026-01-01T00:00:00Z';
const at = (seconds: number): number => Date.parse(CREATED) + seconds * 1000;

function node(uid: string, ready: string | undefined, nodeRef?: string): KubeObject {
  const conditions = ready === undefined ? [] : [{ type: 'Ready', status: ready, reason: 'x' }];
  return {
    apiVersion: 'node.slipway.dev/v1alpha1',
    kind: 'WorkloadNode',
    metadata: { name: uid, namespace: 'team-a', uid, creationTimestamp: CREATED, deletionTimestamp: CREATED },
    status: { conditions, ...(nodeRef === undefined ? {} : { nodeRef: { name: nodeRef } }) },
  };
}

function counted(now: Now = { objects: [], waiting: 0, cutOff: [] }): {
  readonly metrics: Metrics;
  readonly lines: (name: string) => Promise<readonly string[]>;
} {
  const registry = new Registry();
  const metrics = new Metrics(registry, () => now);
  const lines = async (name: string): Promise<readonly string[]> =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith(name));
  return { metrics, lines };
}

test('objects are counted as those of every provider are, so that dashboards show them beside each other', async () => {
  const { lines } = counted({
    objects: [node('a', 'True'), node('b', 'False'), node('c', undefined)],
    waiting: 2,
    cutOff: ['team-a/prod'],
  });
  const gvk = '{gvk="node.slipway.dev/v1alpha1, Kind=WorkloadNode"}';
  expect(await lines('crossplane_managed_resource')).toEqual([
    `crossplane_managed_resource_exists${gvk} 3`,
    `crossplane_managed_resource_ready${gvk} 1`,
    `crossplane_managed_resource_synced${gvk} 0`,
  ]);
  expect(await lines('slipway_waiting')).toEqual(['slipway_waiting_objects 2']);
  expect(await lines('slipway_cut_off')).toEqual(['slipway_cut_off_clusters{config="team-a/prod"} 1']);
});

test('the time to readiness is that of the first time, also when the Node registers before it is ready', async () => {
  const { metrics, lines } = counted();
  const name = 'crossplane_managed_resource_first_time_to_readiness_seconds';
  metrics.reported(node('a', undefined), node('a', 'False', 'n'), at(20));
  metrics.reported(node('a', 'False', 'n'), node('a', 'True', 'n'), at(40));
  metrics.reported(node('a', 'True', 'n'), node('a', 'False', 'n'), at(50));
  metrics.reported(node('a', 'False', 'n'), node('a', 'True', 'n'), at(60));
  const [sum, count] = [await lines(`${name}_sum`), await lines(`${name}_count`)];
  expect([sum[0]?.split(' ').at(-1), count[0]?.split(' ').at(-1)]).toEqual(['40', '1']);
});

test('an object that was ready before this process began has no time to readiness', async () => {
  const { metrics, lines } = counted();
  metrics.reported(node('a', 'False', 'n'), node('a', 'True', 'n'), at(60));
  expect(await lines('crossplane_managed_resource_first_time_to_readiness_seconds')).toEqual([]);
});

test('the time of a deletion is counted when the object may go', async () => {
  const { metrics, lines } = counted();
  metrics.released(node('a', 'True', 'n'), at(90));
  expect((await lines('crossplane_managed_resource_deletion_seconds_sum'))[0]?.split(' ').at(-1)).toBe('90');
});

test('requests are counted by cluster, method and answer', async () => {
  const { metrics, lines } = counted();
  metrics.answered('workload', 'PATCH', 200);
  metrics.answered('workload', 'PATCH', 200);
  metrics.answered('management', 'GET', 0);
  expect(await lines('slipway_api_requests_total')).toEqual([
    'slipway_api_requests_total{cluster="workload",method="PATCH",code="200"} 2',
    'slipway_api_requests_total{cluster="management",method="GET",code="0"} 1',
  ]);
});
