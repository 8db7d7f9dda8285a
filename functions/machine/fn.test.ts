import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { factsFor } from '../../test/support/cluster-facts.ts';
import { withStatus } from '../../test/support/claims.ts';
import { crdsAvailable, validateManaged } from '../../test/support/crds.ts';
import {
  aCluster,
  after,
  aMachine,
  anInfrastructure,
  anInput,
  answer,
  ANY_OVERRIDE,
  call,
  condition,
  CONTROL_PLANE,
  ID,
  keys,
  lived,
  NAME,
  objects,
  play,
  readyKeys,
  RUNNING,
  TARGET,
  WORLD,
} from './machine.fixture.ts';

const outcome = ({ status, conditions, events }: ReplyData) => ({ status, conditions, events });
const yaml = (value: unknown): string => stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });
const golden = (name: string): string => join(import.meta.dirname, 'golden', `${name}.yaml`);

describe('a control-plane machine is created step by step', async () => {
  const machine = aMachine(CONTROL_PLANE);
  const { replies } = await play(
    { machine },
    WORLD.untouched,
    WORLD.created,
    WORLD.running,
    WORLD.registered,
    WORLD.joined,
    WORLD.joined,
  );
  const [first, second, created, running, registered, joined, settled] = replies as [
    ReplyData,
    ReplyData,
    ReplyData,
    ReplyData,
    ReplyData,
    ReplyData,
    ReplyData,
  ];

  test('without its Cluster nothing is created, and a condition says that it waits for the Cluster', async () => {
    const reply = await call({ machine, clusters: null });
    expect(keys(reply)).toEqual([]);
    expect(reply.requirements.get('cluster')).toEqual({
      apiVersion: 'node.slipway.dev/v1alpha1',
      kind: 'ClusterFacts',
      namespace: 'team-a',
      matchName: 'prod',
    });
    const absent = await call({ machine, clusters: [] });
    expect(keys(absent)).toEqual([]);
    expect(condition(absent, 'InfrastructureReady')).toEqual({
      type: 'InfrastructureReady',
      status: 'False',
      reason: 'Waiting',
      message: 'waiting for Cluster "team-a/prod": not accepted yet, or not found',
    });
    expect(absent.compositeReady).toBe('False');
    expect(absent.status).toEqual({ phase: 'Pending', failureDomain: 'eu-west-1b' });
  });

  test.for([
    {
      name: 'the Cluster has no infrastructure',
      parts: { clusters: [aCluster()], context: {} },
      want: 'first-boot data',
    },
    {
      name: 'the infrastructure is not ready',
      parts: { clusters: [aCluster(anInfrastructure({ ready: false }))] },
      want: 'the infrastructure of Cluster prod',
    },
    {
      name: 'the Cluster has no status yet',
      parts: { clusters: [{ ...aCluster(), status: {} }] },
      want: 'the infrastructure of Cluster prod',
    },
  ])('while $name nothing is created: waiting for $want', async ({ parts, want }) => {
    const reply = await call({ machine, ...parts });
    expect(keys(reply)).toEqual([]);
    expect(condition(reply, 'InfrastructureReady')?.message).toBe(`waiting for ${want}`);
    expect(condition(reply, 'NodeHealthy')).toMatchObject({ status: 'Unknown', reason: 'WaitingForNode' });
    expect(reply.ttl).toBe(10);
  });

  test('first come the Secret and the Instance: no node to drain, nothing to register', () => {
    expect(keys(first)).toEqual(['payload', 'instance']);
    expect(keys(second)).toEqual(['payload', 'instance']);
    expect(first.status).toMatchObject({ phase: 'Provisioning' });
    expect(second.status).toMatchObject({ phase: 'Provisioning' });
    expect(second.status).not.toHaveProperty('instanceID');
    expect(second.compositeReady).toBe('False');
    expect(readyKeys(second)).toEqual(['payload']);
  });

  test('once there is an id, the registration, the node and the drain are created', () => {
    expect(keys(created)).toEqual(['payload', 'instance', 'target-0', 'node', 'drain']);
    expect(created.status).toMatchObject({
      instanceID: ID,
      providerID: `aws:///eu-west-1b/${ID}`,
      phase: 'Provisioning',
    });
    expect(created.resources.get('target-0')?.resource.spec).toMatchObject({
      forProvider: { targetGroupArn: TARGET, targetId: ID, port: 6443 },
    });
    expect(created.events).toEqual([
      { severity: 'Normal', reason: 'MachineCreated', message: `The cloud created machine ${ID}` },
    ]);
    expect(readyKeys(created)).toEqual(['payload', 'drain']);
  });

  test('a running machine is provisioned, but not a node yet', () => {
    expect(running.status).toMatchObject({
      phase: 'Provisioned',
      addresses: [{ type: 'InternalIP', address: '10.0.64.7' }, { type: 'InternalDNS' }],
    });
    expect(condition(running, 'InfrastructureReady')).toEqual({
      type: 'InfrastructureReady',
      status: 'True',
      reason: 'Ready',
    });
    expect(condition(running, 'NodeHealthy')).toMatchObject({ status: 'Unknown', reason: 'WaitingForNode' });
    expect(running.status).not.toHaveProperty('nodeRef');
    expect(readyKeys(running)).toEqual(['payload', 'instance', 'drain']);
  });

  test('a machine whose registered node is not ready is not ready', () => {
    expect(registered.status).toMatchObject({ phase: 'Running', nodeRef: { name: NAME }, version: 'v1.35.4' });
    expect(condition(registered, 'NodeHealthy')).toMatchObject({ status: 'False', reason: 'NodeNotHealthy' });
    expect(readyKeys(registered)).toEqual(['payload', 'instance', 'target-0', 'drain']);
    expect(registered.events).toEqual([
      { severity: 'Normal', reason: 'NodeRegistered', message: `Node ${NAME} registered` },
    ]);
  });

  test('a ready node makes the machine ready, and then it is reconciled rarely', () => {
    expect(readyKeys(joined)).toEqual(keys(joined));
    expect(joined.compositeReady).toBe('Unspecified');
    expect(condition(joined, 'NodeHealthy')).toEqual({ type: 'NodeHealthy', status: 'True', reason: 'NodeHealthy' });
    expect(joined.events).toEqual([]);
    expect(settled.ttl).toBe(600);
    expect(settled.conditions.map(({ type }) => type)).toEqual(['InfrastructureReady', 'NodeHealthy']);
  });

  test('its objects match the golden file', async () => {
    await expect(
      yaml(Object.fromEntries([...settled.resources].map(([key, { resource }]) => [key, resource]))),
    ).toMatchFileSnapshot(golden('control-plane'));
    await expect(yaml(outcome(settled))).toMatchFileSnapshot(golden('control-plane-status'));
  });

  test.skipIf(!crdsAvailable())('the API server accepts every object of every step', () => {
    for (const reply of replies) expect(objects(reply).flatMap((object) => validateManaged(object))).toEqual([]);
  });
});

test('a worker has no load balancer and is no member of etcd', async () => {
  const reply = await answer(await lived(WORLD.joined));
  expect(keys(reply)).toEqual(['payload', 'instance', 'node', 'drain']);
  expect(readyKeys(reply)).toEqual(keys(reply));
  await expect(yaml(objects(reply))).toMatchFileSnapshot(golden('worker'));
  expect(crdsAvailable() ? objects(reply).flatMap((object) => validateManaged(object)) : []).toEqual([]);
});

test('labels, taints and drain of a claim are applied to the node at once', async () => {
  const request = await lived(WORLD.joined);
  const composite = aMachine(
    { labels: { team: 'a' }, taints: [], drain: { timeout: '1h' } },
    request.observed.composite.status,
  );
  const reply = await answer({ ...request, observed: { ...request.observed, composite } });
  expect(reply.resources.get('node')?.resource.spec).toMatchObject({
    labels: { team: 'a' },
    taints: [],
    drain: { timeout: '1h' },
  });
  expect(reply.resources.get('instance')?.resource.spec).toEqual(
    request.observed.resources.get('instance')?.resource.spec,
  );
});

test.for(['spot', 'on-demand'])(
  'the node of a claim that asks for %s has a label that says so',
  async (capacityType) => {
    const request = await lived(WORLD.joined);
    const composite = aMachine(
      { labels: { team: 'a' }, machine: { class: 'standard-4', capacityType } },
      request.observed.composite.status,
    );
    const reply = await answer({ ...request, observed: { ...request.observed, composite } });
    const labels = { team: 'a', 'slipway.dev/capacity-type': capacityType };
    expect(reply.resources.get('node')?.resource.spec).toMatchObject({ labels });
  },
);

const SECRET = (name: string) => ({ secretRef: { name } });

test.for([
  { name: 'a control plane of kubeadm', provider: 'kubeadm', want: { kind: 'KubeadmEtcd', ...SECRET('prod-etcd') } },
  { name: 'a control plane of k3s', provider: 'k3s', want: { kind: 'K3s' } },
  { name: 'a control plane of RKE2', provider: 'rke2', want: { kind: 'RKE2' } },
  { name: 'a control plane of k0s', provider: 'k0s', want: { kind: 'K0s' } },
  { name: 'a control plane of Talos', provider: 'talos', want: { kind: 'Talos', ...SECRET('prod-talosconfig') } },
  { name: 'k0s before it had objects for its members', provider: 'k0s', version: 'v1.29.4', want: undefined },
  {
    name: 'a control plane with external etcd',
    provider: 'kubeadm',
    config: { etcd: { external: { endpoints: ['https://10.0.0.20:2379'] } } },
    want: undefined,
  },
  { name: 'a control plane of a bootstrapper that is not ours', provider: 'theirs', want: undefined },
  {
    name: 'a control plane of MicroK8s',
    provider: 'microk8s',
    want: { kind: 'MicroK8s', ...SECRET('prod-capi-auth-token') },
  },
  {
    name: 'a control plane of Canonical Kubernetes',
    provider: 'canonical-kubernetes',
    want: { kind: 'CanonicalKubernetes', ...SECRET('prod-capi-auth-token') },
  },
  { name: 'a worker', provider: 'kubeadm', fields: {}, want: undefined },
])('$name leaves its store before its deletion: $want', async (example) => {
  const { provider, config = {}, fields = CONTROL_PLANE, version, want } = example;
  const bootstrap = { provider, action: 'Join', config };
  const machine = aMachine({ ...fields, bootstrap, ...(version === undefined ? {} : { version }) });
  const reply = await answer(await lived(WORLD.joined, { machine }));
  expect(reply.resources.get('node')?.resource.spec?.['membership']).toEqual(want);
});

test('a machine whose Node is gone says so, and says it with one event', async () => {
  const request = await lived(WORLD.joined);
  const node = request.observed.resources.get('node')?.resource;
  const conditions = [{ type: 'Ready', status: 'False', reason: 'WaitingForNode', message: 'no Node has its name' }];
  const resource = { ...node, status: { ...node?.status, conditions } } as KubeObject;
  const resources = new Map([...request.observed.resources, ['node', { resource, connectionDetails: {} }] as const]);
  const reply = await answer({ ...request, observed: { ...request.observed, resources } });
  expect(condition(reply, 'NodeHealthy')).toMatchObject({ status: 'False', reason: 'NodeGone' });
  expect(reply.events.map(({ reason }) => reason)).toEqual(['NodeGone']);
});

test('a node that provider-node calls unhealthy is not ready, whatever its Ready condition says', async () => {
  const request = await lived(WORLD.joined);
  const node = request.observed.resources.get('node')?.resource;
  const conditions = [
    { type: 'Ready', status: 'True', reason: 'Available' },
    { type: 'NodeHealthy', status: 'False', reason: 'KubeletStopped', message: 'kubelet stopped posting node status' },
  ];
  const ill = { ...node, status: { ...node?.status, conditions } } as KubeObject;
  const resources = new Map([
    ...request.observed.resources,
    ['node', { resource: ill, connectionDetails: {} }] as const,
  ]);
  const reply = await answer({ ...request, observed: { ...request.observed, resources } });
  expect(readyKeys(reply)).not.toContain('node');
  expect(condition(reply, 'NodeHealthy')).toEqual({
    type: 'NodeHealthy',
    status: 'False',
    reason: 'NodeNotHealthy',
    message: 'kubelet stopped posting node status',
  });
  expect(reply.events.map(({ reason }) => reason)).toEqual(['NodeNotHealthy']);
});

test('the status of the Node is passed on without heartbeats, and kept while the Node cannot be read', async () => {
  const request = await lived(WORLD.joined);
  const node = request.observed.resources.get('node')?.resource;
  const since = '2026-01-01T00:00:00Z';
  const full = {
    type: 'Ready',
    status: 'True',
    lastTransitionTime: since,
    lastHeartbeatTime: since,
    reason: 'KubeletReady',
  };
  const seen = (status: JsonObject) => {
    const resource = { ...node, status: { ...node?.status, ...status } } as KubeObject;
    const resources = new Map([...request.observed.resources, ['node', { resource, connectionDetails: {} }] as const]);
    return { ...request, observed: { ...request.observed, resources } };
  };
  const expected = [{ type: 'Ready', status: 'True', lastTransitionTime: since }];
  expect((await answer(seen({ nodeConditions: [full] }))).status['nodeConditions']).toEqual(expected);

  const away = seen({
    conditions: [{ type: 'Synced', status: 'False', reason: 'ReconcileError', message: 'no route' }],
  });
  const composite = withStatus(away.observed.composite, { nodeConditions: expected });
  const reply = await answer({ ...away, observed: { ...away.observed, composite } });
  expect(reply.status['nodeConditions']).toEqual(expected);
  expect(condition(reply, 'NodeHealthy')).toMatchObject({
    status: 'Unknown',
    reason: 'NodeHealthUnknown',
    message: 'no route',
  });
});

describe('the first instance id identifies the machine', () => {
  test.for([
    {
      name: 'came back with another id',
      world: { ...WORLD.joined, instance: { ...RUNNING, id: 'i-2' } },
      want: `machine ${ID} no longer exists; i-2 took its place and is not this node`,
    },
    {
      name: 'was ended by the cloud',
      world: { ...WORLD.joined, instance: { ...RUNNING, instanceState: 'terminated' } },
      want: `the cloud terminated machine ${ID}`,
    },
    {
      name: 'is being ended',
      world: { ...WORLD.joined, instance: { ...RUNNING, instanceState: 'shutting-down' } },
      want: `the cloud terminated machine ${ID}`,
    },
  ])('a machine that $name is lost for good and never ready', async ({ world, want }) => {
    const before = await lived(WORLD.joined);
    const later = after(before, await answer(before), world);
    const reply = await answer(later);
    expect(reply.status).toMatchObject({ phase: 'Failed', instanceID: ID, providerID: `aws:///eu-west-1b/${ID}` });
    expect(condition(reply, 'NodeHealthy')).toEqual({
      type: 'NodeHealthy',
      status: 'False',
      reason: 'MachineLost',
      message: want,
    });
    expect(readyKeys(reply)).not.toContain('instance');
    expect(readyKeys(reply)).not.toContain('node');
    expect(keys(reply)).toEqual(keys(await answer(before)));
    expect(reply.events).toContainEqual({ severity: 'Warning', reason: 'MachineLost', message: want });
    const again = await answer(after(later, reply, world));
    expect(again.events, 'one event only').toEqual([]);
    expect(again.status).toMatchObject({ instanceID: ID });
  });

  test('a machine whose Instance was deleted is not created again, because the same first boot would run twice', async () => {
    const before = await lived(WORLD.joined);
    const resources = new Map([...before.observed.resources].filter(([key]) => key !== 'instance'));
    const reply = await answer({ ...before, observed: { ...before.observed, resources } });
    expect(keys(reply)).toEqual([...resources.keys()]);
    expect(condition(reply, 'NodeHealthy')).toMatchObject({
      reason: 'MachineLost',
      message: `machine ${ID} no longer exists and is not created again`,
    });
    expect(reply.compositeReady).toBe('False');
  });

  test('a machine that is stopped for a while is not lost', async () => {
    const before = await lived(WORLD.joined);
    const world = { ...WORLD.joined, instance: { ...RUNNING, instanceState: 'stopped' } };
    const reply = await answer(after(before, await answer(before), world));
    expect(reply.status).toMatchObject({ phase: 'Running' });
    expect(condition(reply, 'InfrastructureReady')).toMatchObject({
      status: 'False',
      message: 'the machine is not running',
    });
    expect(readyKeys(reply)).not.toContain('instance');
    expect(reply.events).toEqual([
      { severity: 'Warning', reason: 'InfrastructureNotReady', message: 'the machine is not running' },
    ]);
  });
});

describe('a refused change', () => {
  const refused =
    'update failed: async update failed: refuse to update the external resource because the following update requires replacing it: cannot change the value of the argument "ami" from "ami-1" to "ami-2"';

  test('is reported with its cause last, and Ready=True of the Instance does not hide it', async () => {
    const before = await lived(WORLD.joined);
    const later = after(before, await answer(before), { ...WORLD.joined, refused });
    const reply = await answer(later);
    expect(condition(reply, 'InfrastructureReady')).toEqual({
      type: 'InfrastructureReady',
      status: 'False',
      reason: 'NotReady',
      message: refused,
    });
    expect(readyKeys(reply)).not.toContain('instance');
    expect(reply.ttl).toBe(10);
    expect(reply.events).toEqual([{ severity: 'Warning', reason: 'InfrastructureNotReady', message: refused }]);
    expect((await answer(after(later, reply, { ...WORLD.joined, refused }))).events).toEqual([]);
  });
});

describe('what is kept', () => {
  test.for([
    { name: 'was not requested yet', required: new Map() },
    { name: 'is gone', required: new Map([['cluster', []]]) },
    { name: 'has no status', required: new Map([['cluster', [factsFor({ ...aCluster(), status: {} })]]]) },
  ])('when the Cluster $name: objects, status and readiness', async ({ required }) => {
    const before = await lived(WORLD.joined, { machine: aMachine(CONTROL_PLANE) });
    const complete = await answer(before);
    const blind = await answer({ ...before, required });
    expect(objects(blind)).toEqual(objects(complete));
    expect(readyKeys(blind)).toEqual(keys(complete));
    expect(blind.status).toEqual(complete.status);
    expect(blind.compositeReady).toBe('Unspecified');
    expect(condition(blind, 'InfrastructureReady')).toMatchObject({
      status: 'True',
      message: expect.stringMatching(/^waiting for /) as string,
    });
  });

  test('first-boot data: an observed Secret has priority over newly rendered data', async () => {
    const before = await lived(WORLD.running);
    const reply = await answer({ ...before, context: { 'slipway.dev/payload': { nonsense: true } } });
    expect(reply.resources.get('payload')?.resource).toEqual(before.observed.resources.get('payload')?.resource);
    expect(reply.resources.get('instance')?.resource.spec?.['initProvider']).toEqual(
      before.observed.resources.get('instance')?.resource.spec?.['initProvider'],
    );
  });

  test('a registration that the Cluster no longer has is removed, one that cannot be known is kept', async () => {
    const before = await lived(WORLD.joined, { machine: aMachine(CONTROL_PLANE) });
    const seen = (infrastructure: ReturnType<typeof anInfrastructure>) =>
      answer({ ...before, required: new Map([['cluster', [factsFor(aCluster(infrastructure))]]]) });
    const { controlPlane: _unknown, ...silent } = anInfrastructure();
    expect(keys(await seen(silent))).toContain('target-0');
    expect(keys(await seen(anInfrastructure({ controlPlane: { loadBalancerTargets: [] } })))).not.toContain('target-0');
    const moved = await seen(
      anInfrastructure({
        controlPlane: {
          loadBalancerTargets: [
            { id: 'arn:b', port: 6443 },
            { id: TARGET, port: 6443 },
          ],
        },
      }),
    );
    expect(moved.resources.get('target-0')?.resource.spec).toMatchObject({ forProvider: { targetGroupArn: TARGET } });
    expect(moved.resources.get('target-1')?.resource.spec).toMatchObject({ forProvider: { targetGroupArn: 'arn:b' } });
  });
});

describe('overrides', () => {
  const input = anInput(ANY_OVERRIDE);
  const overrides = [
    { kind: 'Instance', patch: { spec: { forProvider: { monitoring: true, instanceType: 'm7i.xlarge' } } } },
    { kind: 'Volume', patch: { spec: { forProvider: { a: 1 } } } },
    { kind: 'LBTargetGroupAttachment', patch: { spec: { forProvider: { availabilityZone: 'all' } } } },
  ];

  test('are applied in the cloud, and one that matches nothing is reported once', async () => {
    const request = await lived(WORLD.joined, { machine: aMachine({ infrastructure: { overrides } }), input });
    const first = await call({ machine: aMachine({ infrastructure: { overrides } }), input });
    expect(first.resources.get('instance')?.resource.spec).toMatchObject({
      forProvider: { monitoring: true, instanceType: 'm7i.xlarge' },
    });
    const note = 'spec.infrastructure.overrides[1] matches nothing: no Volume is composed';
    expect(first.events).toEqual([{ severity: 'Warning', reason: 'InfrastructureNote', message: note }]);
    const settled = await answer(request);
    expect(settled.events).toEqual([]);
    expect(
      condition(settled, 'InfrastructureReady'),
      'the size in the claim is not required when an override sets one',
    ).toEqual({
      type: 'InfrastructureReady',
      status: 'True',
      reason: 'Ready',
      message: note,
    });
  });

  test('of what is no longer there hinder no machine that exists when the platform allows them no more', async () => {
    const machine = aMachine({ infrastructure: { overrides: [overrides[1] ?? {}] } });
    const narrow = anInput({ overrides: {} });
    await expect(call({ machine, input: narrow })).rejects.toThrow('overrides[0].kind: "Volume" is not accepted');
    const request = await lived(WORLD.joined, { machine, input });
    expect((await answer({ ...request, input: narrow })).resources.has('instance')).toBe(true);
  });
});
