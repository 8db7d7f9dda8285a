/** The virtual machine that the machine step makes on GCP, and what it does while the machine is updated. */
import { describe, expect, it } from 'vitest';
import { at, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { aCluster, call, NAME } from '../../../functions/machine/machine.fixture.ts';
import { INFRASTRUCTURE, INPUT, instance, machineOf, reply } from './machine.fixture.ts';

async function made(spec: JsonObject, observed?: KubeObject): Promise<Json | undefined> {
  return at(await instance(spec, observed), 'spec', 'forProvider');
}

describe('a new Instance of a Machine', () => {
  it('has the image of its version, before that of its name alone', async () => {
    const image = (version: string) =>
      made({ version }).then((one) => at(one, 'bootDisk', 'initializeParams', 'image'));
    expect(await image('v1.35.4')).toBe('projects/p/global/images/ubuntu-v1-35-4');
    expect(await image('v1.35.5')).toBe('projects/p/global/images/ubuntu');
  });

  it('is refused with an image that maps to nothing, with those that exist', async () => {
    await expect(made({ machine: { class: 'standard-4', image: 'debian' } })).rejects.toThrow(
      'cannot accept Machine "team-a/prod-general-0-x7k2p": spec.machine.image: "debian" is not accepted; accepted: ubuntu-24.04, which the Composition maps in europe-west1, or an image of GCP such as projects/my-project/global/images/node-v1-35-4',
    );
  });

  it('is refused in a zone that the cluster does not have, with those that it has', async () => {
    await expect(made({ failureDomain: 'europe-west1-d' })).rejects.toThrow(
      'spec.failureDomain: "europe-west1-d" is not accepted; accepted: europe-west1-b, europe-west1-c',
    );
  });
});

describe('a running Instance', () => {
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

describe('disks that a driver attaches to a running Instance', () => {
  const MADE: JsonObject = { status: { atProvider: { instanceId: '4711' } } };
  const parts = async (spec: JsonObject, observed?: KubeObject) => {
    const { forProvider, initProvider } = (await instance(spec, observed)).spec ?? {};
    return [at(forProvider, 'attachedDisk'), at(initProvider, 'attachedDisk')];
  };
  const DISK = { machine: { class: 'standard-4', dataDisks: [{ name: 'data', sizeGiB: 20 }] } };

  it('are not in the list of forProvider, which would be all that it has', async () => {
    expect(await parts({})).toEqual([undefined, undefined]);
    expect(await parts(DISK)).toEqual([undefined, [expect.objectContaining({ deviceName: 'data' })]]);
    expect((await instance({})).spec?.['managementPolicies'], 'nor filled in').not.toContain('LateInitialize');
  });

  it('are not detached, because the list of initProvider is never empty once it is made', async () => {
    const running = await instance({});
    expect(await parts({}, running), 'GCP could not create it with that').toEqual([undefined, undefined]);
    const name = running.metadata?.annotations?.['crossplane.io/external-name'];
    expect(await parts({}, { ...running, ...MADE })).toEqual([undefined, [{ source: name }]]);
    const withDisk = { ...(await instance(DISK)), ...MADE };
    expect(await parts(DISK, withDisk)).toEqual(await parts(DISK));
  });

  it('are no longer in the list where an earlier release let the provider fill it in', async () => {
    const running = await instance({});
    const forProvider = { ...(running.spec?.['forProvider'] as JsonObject), attachedDisk: [{ source: 'pvc-1' }] };
    const own = [{ source: running.metadata?.annotations?.['crossplane.io/external-name'] }];
    const filled = { ...running, ...MADE, spec: { ...running.spec, forProvider } };
    expect(await parts({}, filled), 'an empty list takes it over').toEqual([[], own]);
    const taken = { ...(await instance({}, filled)), ...MADE };
    expect(await parts({}, taken), 'the next call leaves it out').toEqual([undefined, own]);
  });

  describe('of which an older release said the data disks in forProvider', () => {
    const older = async (): Promise<KubeObject> => {
      const vm = await instance(DISK);
      const { attachedDisk, ...initProvider } = vm.spec!['initProvider'] as JsonObject;
      const forProvider = { ...(vm.spec?.['forProvider'] as JsonObject), attachedDisk: attachedDisk! };
      return { ...vm, spec: { ...vm.spec, forProvider, initProvider } };
    };

    it('has them in initProvider while it is not made: without them, it would be created without its disks', async () => {
      const wanted = await parts(DISK);
      expect(await parts(DISK, await older())).toEqual(wanted);
      expect(await parts(DISK, await instance(DISK, await older())), 'the next call keeps them').toEqual(wanted);
    });

    it('has its boot disk there once it is made, and nothing else of it changes', async () => {
      const vm = await older();
      const { resources, conditions } = await reply(machineOf(DISK), { instance: { ...vm, ...MADE } });
      const name = vm.metadata?.annotations?.['crossplane.io/external-name'] ?? '';
      expect(resources.get('instance')?.resource.spec).toEqual({
        ...vm.spec,
        forProvider: { ...(vm.spec?.['forProvider'] as JsonObject), attachedDisk: [] },
        initProvider: { ...(vm.spec?.['initProvider'] as JsonObject), attachedDisk: [{ source: name }] },
      });
      expect(conditions.filter(({ message }) => message?.includes('kept until'))).toEqual([]);
    });
  });
});

describe('an Instance that its provider begins to create again', () => {
  const SYNCED: JsonObject = { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' };
  const failed = (message: string): JsonObject => ({
    type: 'Synced',
    status: 'False',
    reason: 'ReconcileError',
    message,
  });
  const NOT_FOUND = failed('create failed: async create failed: googleapi: Error 404: The resource was not found');
  const EXHAUSTED = failed('create failed: async create failed: ZONE_RESOURCE_POOL_EXHAUSTED');

  async function lost(
    synced: JsonObject,
    healthy: string | undefined,
    capacityType: string,
  ): Promise<string | undefined> {
    const spec = { machine: { class: 'standard-4', capacityType } };
    const status: JsonObject = {
      atProvider: { instanceId: '4711', currentStatus: 'RUNNING' },
      conditions: [{ type: 'Ready', status: 'False', reason: 'Creating' }, synced],
    };
    const node: KubeObject = {
      apiVersion: 'node.slipway.dev/v1alpha1',
      kind: 'WorkloadNode',
      metadata: { name: NAME, namespace: 'team-a' },
      spec: { taints: [] },
      status: {
        nodeRef: { name: NAME },
        conditions: [
          { type: 'Ready', status: healthy === 'Unready' ? 'False' : 'True', reason: 'Any' },
          SYNCED,
          { type: 'NodeHealthy', status: healthy === 'True' ? 'True' : 'False', reason: 'Any' },
        ],
      },
    };
    const observed = { instance: { ...(await instance(spec)), status }, ...(healthy === undefined ? {} : { node }) };
    const { conditions } = await reply(machineOf(spec, { instanceID: '4711', nodeRef: { name: NAME } }), observed);
    return conditions.find(({ reason }) => reason === 'MachineLost')?.message;
  }

  describe.for(['on-demand', 'spot'])('and is %s', (capacityType) => {
    it.for([SYNCED, NOT_FOUND, EXHAUSTED])('is not lost while its node is ready: %o', async (synced) => {
      expect(await lost(synced, 'True', capacityType)).toBeUndefined();
    });

    it.for(['False', 'Unready', undefined])(
      'is lost at once when its node is not ready either: %s',
      async (healthy) => {
        const gone = 'its provider does not find machine 4711 and makes another one';
        expect(await lost(SYNCED, healthy, capacityType)).toBe(gone);
        for (const synced of [NOT_FOUND, EXHAUSTED])
          expect(await lost(synced, healthy, capacityType)).toBe(`${gone}: ${synced['message'] as string}`);
      },
    );

    it.for([
      'connect failed: cannot get credentials',
      'observe failed: googleapi: Error 403: Forbidden',
      'create failed: async create failed: googleapi: Error 403: Forbidden',
      'create failed: async create failed: oauth2: "invalid_grant"',
      'cannot determine creation result - remove the crossplane.io/external-create-pending annotation if it is safe to proceed',
    ])('is not lost when its provider could not look, whatever its node is: %s', async (message) => {
      for (const healthy of ['True', 'False', undefined])
        expect(await lost(failed(message), healthy, capacityType)).toBeUndefined();
    });
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
