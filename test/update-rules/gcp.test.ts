/**
 * The table from which the update rules of GCP are generated matches what the machine step does with the fields of a
 * Machine, and what it does while a machine is updated.
 */
import { describe, expect, it, test } from 'vitest';
import { GCP_FIELDS } from '#clouds/gcp/fields.ts';
import { at, isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { FIELDS, madeOf } from '#lib/cloud/fields.ts';
import { aCluster, aMachine, anInfrastructure, anInput, call, NAME } from '../../functions/machine/machine.fixture.ts';

const KEY = 'projects/p/locations/europe-west1/keyRings/fake/cryptoKeys/fake';
const SUBNET = 'projects/p/regions/europe-west1/subnetworks/nodes';
const NEG = (zone: string): JsonObject => ({ id: `europe-west1-${zone}/neg-${zone}`, port: 6443 });
const INFRASTRUCTURE = anInfrastructure({
  cloud: 'gcp',
  region: 'europe-west1',
  id: 'team-a-prod-x7k2m9',
  failureDomains: [
    { name: 'europe-west1-b', subnet: SUBNET },
    { name: 'europe-west1-c', subnet: SUBNET },
  ],
  controlPlane: {
    identity: 'cp@p.iam.gserviceaccount.com',
    securityGroups: ['cp', 'node'],
    loadBalancerTargets: [NEG('b'), NEG('c')],
    firstBootSecrets: 'x_control-plane_',
  },
  worker: {
    identity: 'node@p.iam.gserviceaccount.com',
    securityGroups: ['node'],
    firstBootSecrets: 'x_node_',
  },
  providerIDFormat: 'gce://p/${failureDomain}/${instanceId}',
  tags: { 'slipway-cluster': 'prod' },
});
const { aws: _aws, ...NEUTRAL } = anInput();
const INPUT = {
  ...NEUTRAL,
  cloud: 'gcp',
  classes: { 'standard-4': 'n2-standard-4' },
  images: {
    'ubuntu-24.04/v1.35.4': { global: 'projects/p/global/images/ubuntu-v1-35-4' },
    'ubuntu-24.04': { 'europe-west1': 'projects/p/global/images/ubuntu' },
  },
  gcp: { userData: 'Plain', kmsKey: KEY },
};

/** Two values for each field that becomes part of the object in the cloud. */
const EDITS: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  'spec.failureDomain': [{ failureDomain: 'europe-west1-b' }, { failureDomain: 'europe-west1-c' }],
  'spec.machine.class': [{ machine: { class: 'standard-4' } }, { machine: { class: 'n2-standard-8' } }],
  'spec.machine.instanceType': [
    { machine: { instanceType: 'n2-standard-2' } },
    { machine: { instanceType: 'n2-standard-4' } },
  ],
  'spec.machine.image': [
    { machine: { class: 'standard-4', image: 'projects/p/global/images/one' } },
    { machine: { class: 'standard-4', image: 'projects/p/global/images/two' } },
  ],
  'spec.machine.rootDisk.sizeGiB': [disk({ sizeGiB: 40 }), disk({ sizeGiB: 80 })],
  'spec.machine.rootDisk.type': [disk({ type: 'pd-balanced' }), disk({ type: 'pd-ssd' })],
  'spec.machine.rootDisk.encrypted': [disk({ encrypted: true }), disk({ encrypted: false })],
};

/** Fields that are applied to the Node. */
const ELSEWHERE: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  'spec.labels': [{ labels: { a: '1' } }, { labels: { a: '2' } }],
  'spec.annotations': [{ annotations: { a: '1' } }, { annotations: { a: '2' } }],
  'spec.taints': [{ taints: [] }, { taints: [{ key: 'a', effect: 'NoSchedule' }] }],
  'spec.drain': [{ drain: { timeout: '1m' } }, { drain: { timeout: '2m' } }],
};

function disk(rootDisk: JsonObject): JsonObject {
  return { machine: { class: 'standard-4', rootDisk } };
}

const machineOf = (spec: JsonObject, status?: JsonObject): KubeObject =>
  aMachine({ failureDomain: 'europe-west1-b', ...spec }, status);

const reply = (machine: KubeObject, observed: Readonly<Record<string, KubeObject>> = {}) =>
  call({ machine, clusters: [aCluster(INFRASTRUCTURE)], input: INPUT, observed });

async function instance(spec: JsonObject, observed?: KubeObject): Promise<KubeObject> {
  const { resources } = await reply(machineOf(spec), observed === undefined ? {} : { instance: observed });
  return resources.get('instance')!.resource;
}

async function made(spec: JsonObject, observed?: KubeObject): Promise<Json | undefined> {
  return at(await instance(spec, observed), 'spec', 'forProvider');
}

function changed(old: Json | undefined, now: Json | undefined, path = ''): readonly string[] {
  if (!isJsonObject(old) || !isJsonObject(now)) return JSON.stringify(old) === JSON.stringify(now) ? [] : [path];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted();
  return keys.flatMap((key) => changed(old[key], now[key], path === '' ? key : `${path}.${key}`));
}

describe('a new Instance of a Machine', () => {
  test.for(Object.entries(EDITS))('has %s in the fields of the table', async ([path, [before, after]]) => {
    const named = madeOf(GCP_FIELDS, path).map(({ field }) => field);
    expect(changed(await made(before), await made(after))).toEqual(named);
  });

  test.for(Object.entries(ELSEWHERE))(
    'has no data of %s, because provider-node changes it on the Node',
    async ([, [before, after]]) => {
      expect(changed(await made(before), await made(after))).toEqual([]);
    },
  );

  it('is tested for every field that the table assigns to the Node or to the cloud', () => {
    const tried = [...Object.keys(EDITS), ...Object.keys(ELSEWHERE)].toSorted();
    const named = FIELDS.filter(({ by }) => by === 'Node' || by === 'Cloud').map(({ path }) => path);
    expect(tried).toEqual(named.toSorted());
  });

  it('has the image of its version, before that of its name alone', async () => {
    const image = (version: string) =>
      made({ version }).then((one) => at(one, 'bootDisk', 'initializeParams', 'image'));
    expect(await image('v1.35.4')).toBe('projects/p/global/images/ubuntu-v1-35-4');
    expect(await image('v1.35.5')).toBe('projects/p/global/images/ubuntu');
  });

  it('is refused with an image that maps to nothing, with those that exist', async () => {
    await expect(made({ machine: { class: 'standard-4', image: 'debian' } })).rejects.toThrow(
      'cannot accept Machine "team-a/prod-general-0-x7k2p": spec.machine.image: "debian" is not accepted; accepted: an image such as projects/my-project/global/images/node-v1-35-4, or one that the Composition maps for v1.35.4 in europe-west1: ubuntu-24.04, ubuntu-24.04/v1.35.4',
    );
  });

  it('is refused in a zone that the cluster does not have, with those that it has', async () => {
    await expect(made({ failureDomain: 'europe-west1-d' })).rejects.toThrow(
      'spec.failureDomain: "europe-west1-d" is not accepted; accepted: europe-west1-b, europe-west1-c',
    );
  });
});

describe('a running Instance', () => {
  test.for(Object.entries(EDITS))(
    'gets from %s only what changes while it runs, as in the table',
    async ([path, [before, after]]) => {
      const running = await instance(before);
      const live = madeOf(GCP_FIELDS, path).filter(({ change }) => change === 'Runs');
      expect(changed(await made(before, running), await made(after, running))).toEqual(live.map(({ field }) => field));
    },
  );

  it('may not be stopped by a change', async () => {
    expect(at(await made({}, await instance({})), 'allowStoppingForUpdate')).toBe(false);
  });

  it('keeps its name and what it booted from, whatever the Cluster and the payload say now', async () => {
    const running = await instance({});
    const moved = aCluster({ ...INFRASTRUCTURE, id: 'team-b-other-k2m9x7' });
    const { resources } = await call({
      machine: machineOf({}),
      clusters: [moved],
      input: INPUT,
      observed: { instance: running },
    });
    const now = resources.get('instance')!.resource;
    expect(now.metadata?.annotations).toEqual(running.metadata?.annotations);
    expect(at(now, 'spec', 'initProvider')).toEqual(at(running, 'spec', 'initProvider'));
  });
});

describe('a control-plane machine and the load balancer', () => {
  const spec = (action: string): JsonObject => ({
    role: 'control-plane',
    nodePoolRef: { name: 'prod-control-plane' },
    bootstrap: { provider: 'kubeadm', action, config: {} },
  });
  const RUNNING: JsonObject = {
    instanceId: '4711',
    currentStatus: 'RUNNING',
    zone: 'europe-west1-b',
    networkInterface: [{ networkIp: '10.0.0.7' }],
  };
  const node = (status: string): KubeObject => ({
    apiVersion: 'node.slipway.dev/v1alpha1',
    kind: 'WorkloadNode',
    metadata: { name: NAME, namespace: 'team-a' },
    spec: { taints: [] },
    status: { conditions: [{ type: 'Ready', status, reason: 'Any' }] },
  });

  async function endpointOf(action: string, atProvider: JsonObject, ready?: string): Promise<KubeObject | undefined> {
    const running = { ...(await instance(spec(action))), status: { atProvider } };
    const observed = { instance: running, ...(ready === undefined ? {} : { node: node(ready) }) };
    return (await reply(machineOf(spec(action)), observed)).resources.get('endpoint')?.resource;
  }

  it('the first one registers as soon as its address is known, in the group of its zone', async () => {
    expect(at(await endpointOf('Init', RUNNING), 'spec', 'forProvider')).toMatchObject({
      zone: 'europe-west1-b',
      networkEndpointGroup: 'neg-b',
      ipAddress: '10.0.0.7',
    });
    expect(await endpointOf('Init', { ...RUNNING, networkInterface: [] })).toBeUndefined();
  });

  it('another one waits until its node is ready, because behind the load balancer it would call itself', async () => {
    expect(await endpointOf('Join', RUNNING)).toBeUndefined();
    expect(await endpointOf('Join', RUNNING, 'False')).toBeUndefined();
    expect(await endpointOf('Join', RUNNING, 'True')).toBeDefined();
  });

  it('stays registered when its node is not ready any more, and when its Cluster reports no group', async () => {
    const made = (await endpointOf('Init', RUNNING))!;
    const running = { ...(await instance(spec('Join'))), status: { atProvider: RUNNING } };
    const observed = { instance: running, node: node('False'), endpoint: made };
    expect((await reply(machineOf(spec('Join')), observed)).resources.has('endpoint')).toBe(true);
    const { controlPlane: _none, ...less } = INFRASTRUCTURE;
    const { resources } = await call({
      machine: machineOf(spec('Join')),
      clusters: [aCluster(less)],
      input: INPUT,
      observed,
    });
    expect(resources.has('endpoint')).toBe(true);
  });

  it('is lost when GCP reports another number under its name', async () => {
    const running = { ...(await instance(spec('Join'))), status: { atProvider: { ...RUNNING, instanceId: '4712' } } };
    const { conditions } = await reply(machineOf(spec('Join'), { instanceID: '4711' }), { instance: running });
    const messages = conditions.map(({ message }) => message ?? '');
    expect(messages.some((message) => message.includes('4712 took its place and is not this node'))).toBe(true);
  });
});
