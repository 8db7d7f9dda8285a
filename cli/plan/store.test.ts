/** Machines of a control plane are told to join and to leave what they are members of, and nothing else. */
import { expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { consequencesOf } from './consequences.ts';
import type { PlanEntry } from './entry.ts';
import { withStore } from './store.ts';

const object = (kind: string, name: string, spec: JsonObject, status: JsonObject = {}): KubeObject => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind,
  metadata: { name, namespace: 'team-x' },
  spec,
  status,
});
const POOL = object('NodePool', 'my-control-plane', { role: 'control-plane', clusterRef: { name: 'my' } });
const line = (decision: PlanEntry['decision'], pool: string): PlanEntry => ({
  kind: 'Machine',
  name: 'm',
  cluster: 'my',
  pool,
  field: '',
  decision,
  reason: 'it is',
});
const EXTERNAL = { etcd: { external: { endpoints: ['https://10.0.0.9:2379'] } } };

test.for([
  { provider: 'kubeadm', store: 'etcd' },
  { provider: 'k3s', store: 'etcd' },
  { provider: 'microk8s', store: 'dqlite' },
  { provider: 'kubeadm', config: EXTERNAL, store: undefined, why: 'of a claim' },
  { provider: 'kubeadm', status: { certificates: { etcd: 'External' } }, store: undefined, why: 'as it was created' },
  {
    provider: 'kubeadm',
    config: EXTERNAL,
    status: { certificates: { etcd: 'Local' } },
    store: 'etcd',
    why: 'that it does not move to',
  },
  { provider: 'k0s', version: 'v1.29.4', store: undefined, why: 'of a version that has no objects for members' },
  { provider: 'k0s', version: 'v1.35.4', store: 'etcd' },
  { provider: 'acme', store: undefined, why: 'of others, whom nobody takes out' },
])('with $provider ($why) the store is $store', ({ provider, config, version = 'v1.35.4', status, store }) => {
  const bootstrap = { provider, ...(config === undefined ? {} : { config }) };
  const world = { objects: [object('Cluster', 'my', { version, bootstrap }, status)] };
  const said = (['Drop', 'Create'] as const).map((decision) =>
    consequencesOf(withStore([line(decision, 'my-control-plane')], world, POOL)).join(),
  );
  const words =
    store === undefined
      ? ['drained and deleted, one after another; local', 'created; only one joins at a time']
      : [`drained, taken out of ${store} and deleted`, `created; only one joins ${store} at a time`];
  expect(said).toEqual(words.map((text) => expect.stringContaining(text) as string));
});

test('a worker joins and leaves nothing', () => {
  const worker = object('NodePool', 'my-general', { clusterRef: { name: 'my' } });
  const lines = [line('Drop', 'my-general')];
  expect(withStore(lines, { objects: [object('Cluster', 'my', {})] }, worker)).toEqual(lines);
});
