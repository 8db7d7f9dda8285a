import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { asDesired } from '#lib/fn/keep.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { at } from '#lib/api/json.ts';
import { aCluster, aNodePool, conditions, INFRASTRUCTURE, withStatus } from '../../test/support/claims.ts';
import { expectNeverSmaller, expectOrderBlind, expectPure, replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { composed, condition, made, marked, request, slots, groupOf } from './pool.fixture.ts';

describe('a worker pool', () => {
  it('creates one machine for each replica, spread over the failure domains', async () => {
    const reply = await replyOf(run, request({}));
    expect(slots(reply)).toEqual(['slot-0', 'slot-1', 'slot-2']);
    expect(composed(reply).map((machine) => at(machine, 'spec', 'failureDomain'))).toEqual([
      'eu-west-1a',
      'eu-west-1b',
      'eu-west-1c',
    ]);
    expect(composed(reply).map((machine) => at(machine, 'spec', 'bootstrap', 'action'))).toEqual([
      'Join',
      'Join',
      'Join',
    ]);
  });

  it('asks to be called again when only time changes something: a restart, or machines that become available', async () => {
    const since = { type: 'Ready', status: 'True', reason: 'Available', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const machines = (await made(aNodePool())).map((machine) => withStatus(machine, { conditions: [since] }));
    const ttl = async (update: JsonObject) => {
      const pool = aNodePool({ spec: { update } });
      return (await replyOf(run, request({ pool, machines }), '2026-01-01T00:00:30Z')).ttl;
    };
    const early = aNodePool({ spec: { update: { minReadySeconds: 300 } } });
    expect(condition(await replyOf(run, request({ pool: early, machines })), 'Available')?.message).toBe(
      '0 of 3 machines are ready for 300s',
    );
    expect(await ttl({})).toBe(60);
    expect(await ttl({ minReadySeconds: 60 })).toBe(30);
    expect(await ttl({ rolloutAfter: '2026-01-01T00:01:00Z' })).toBe(30);
    expect(await ttl({ rolloutAfter: '2026-01-01T00:00:31Z' }), 'not soon').toBe(10);
    expect(await ttl({ rolloutAfter: '2025-01-01T00:00:00Z' })).toBe(60);
  });

  it('creates a new machine in the failure domain with the fewest machines', async () => {
    const machines = (await made(aNodePool())).slice(0, 2);
    const reply = await replyOf(run, request({ machines }));
    expect(at(reply.resources.get('slot-2')?.resource, 'spec', 'failureDomain')).toBe('eu-west-1c');
  });

  it('uses only the zones its claim names', async () => {
    const pool = aNodePool({ spec: { machine: { class: 'standard-4', zones: ['eu-west-1b'] } } });
    const reply = await replyOf(run, request({ pool }));
    expect(new Set(composed(reply).map((machine) => at(machine, 'spec', 'failureDomain')))).toEqual(
      new Set(['eu-west-1b']),
    );
  });

  it('copies the settings of the Cluster below its own, which have priority', async () => {
    const CONFIG = { featureGates: { A: true }, kubelet: { extraArgs: { v: '1' } } };
    const cluster = aCluster({
      spec: { bootstrap: { config: CONFIG }, provisioning: { sysctls: { x: '1', y: '1' }, packages: ['one'] } },
    });
    const pool = aNodePool({
      spec: {
        replicas: 1,
        bootstrap: { config: { kubelet: { extraArgs: { v: '2' } } } },
        provisioning: { sysctls: { y: '2' }, packages: ['two'] },
      },
    });
    const [machine] = composed(await replyOf(run, request({ pool, cluster })));
    expect(at(machine, 'spec', 'bootstrap', 'config')).toEqual({ ...CONFIG, kubelet: { extraArgs: { v: '2' } } });
    expect(at(machine, 'spec', 'provisioning', 'sysctls')).toEqual({ x: '1', y: '2' });
    expect(at(machine, 'spec', 'provisioning', 'packages')).toEqual(['one', 'two']);
  });

  it('copies references to Secrets, of which those of the pool replace a value of the Cluster', async () => {
    const from = (key: string): JsonObject => ({ secret: { name: 'app', key } });
    const file = { path: '/etc/app', contentFrom: from('file') };
    const settings = async (cluster: JsonObject, pool: JsonObject) => {
      const parts = {
        cluster: aCluster({ spec: { provisioning: cluster } }),
        pool: aNodePool({ spec: { replicas: 1, provisioning: pool } }),
      };
      return at(composed(await replyOf(run, request(parts)))[0], 'spec', 'provisioning');
    };
    expect(
      await settings(
        { files: [file], commands: { preFrom: [from('a')] }, proxy: { http: 'http://a', httpsFrom: from('b') } },
        { commands: { pre: ['x'], preFrom: [from('c')] }, proxy: { httpFrom: from('d') } },
      ),
    ).toMatchObject({
      files: [file],
      commands: { pre: ['x'], preFrom: [from('a'), from('c')] },
      proxy: { httpFrom: from('d'), httpsFrom: from('b') },
    });
    const replaced = await settings({ proxy: { httpFrom: from('a') } }, { proxy: { http: 'http://b' } });
    expect(at(replaced, 'proxy')).toEqual({ http: 'http://b', none: [] });
  });

  it('uses the version that the control plane already runs, so that no kubelet is newer than the API server', async () => {
    const status = {
      infrastructure: INFRASTRUCTURE,
      controlPlaneEndpoint: { host: 'h', port: 6443 },
      controlPlane: { initialized: true, version: 'v1.34.4' },
    };
    const [machine] = composed(await replyOf(run, request({ cluster: aCluster({ status }) })));
    expect(at(machine, 'spec', 'version')).toBe('v1.34.4');
  });

  test.for([
    { name: 'no infrastructure yet', status: {}, waits: 'waiting for the infrastructure of Cluster prod' },
    {
      name: 'no endpoint yet',
      status: { infrastructure: INFRASTRUCTURE },
      waits: 'waiting for the control-plane endpoint of Cluster prod',
    },
    {
      name: 'no control plane yet',
      status: { infrastructure: INFRASTRUCTURE, controlPlaneEndpoint: { host: 'h', port: 6443 } },
      waits: 'waiting for the control plane of Cluster prod to be initialized',
    },
  ])('reports what it waits for: $name', async ({ status, waits }) => {
    const reply = await replyOf(run, request({ cluster: aCluster({ status }) }));
    expect(slots(reply)).toEqual([]);
    expect(reply.compositeReady).toBe('False');
    expect(condition(reply, 'Available')).toMatchObject({ status: 'False', reason: 'Waiting', message: waits });
  });

  it('reports a Cluster that does not exist, and keeps every machine', async () => {
    const machines = await made(aNodePool());
    const reply = await replyOf(run, request({ machines, required: { cluster: [], machines } }));
    expect(slots(reply)).toEqual(machines.map(({ metadata }) => metadata?.name));
    expect(composed(reply)).toEqual(machines.map(asDesired));
    expect(condition(reply, 'Available')?.message).toBe(
      'waiting for Cluster "team-a/prod": not accepted yet, or not found',
    );
  });

  it('scales down by deleting unready machines first, then those in the failure domain with the most machines', async () => {
    const four = await made(aNodePool({ spec: { replicas: 4 } }));
    const pool = aNodePool({ spec: { replicas: 3 } });
    expect(slots(await replyOf(run, request({ pool, machines: four })))).toEqual(['slot-0', 'slot-1', 'slot-2']);
    const sick = four.map((machine, i) => (i === 1 ? withStatus(machine, conditions(false)) : machine));
    expect(slots(await replyOf(run, request({ pool, machines: sick })))).toEqual(['slot-0', 'slot-2', 'slot-3']);
  });

  it('gives up a lost machine and creates another one in a new slot', async () => {
    const machines = (await made(aNodePool())).map((machine, i) =>
      i === 1
        ? withStatus(machine, conditions(false, [{ type: 'NodeHealthy', status: 'False', reason: 'MachineLost' }]))
        : machine,
    );
    const { status } = await replyOf(run, request({ machines }));
    const reply = await replyOf(run, request({ pool: aNodePool({ status }), machines }));
    expect(slots(reply)).toEqual(['slot-0', 'slot-2', 'slot-3']);
    expect(condition(reply, 'Remediating')).toMatchObject({ status: 'True' });
  });

  describe('whose list contains a machine that is not observed', () => {
    const pool = (status = {}) => ({ ...aNodePool({ status }), metadata: { ...aNodePool().metadata, uid: 'pool' } });
    const owned = (machine: KubeObject, uid: string): KubeObject => ({
      ...machine,
      metadata: { ...machine.metadata, uid: 'm-1', ownerReferences: [{ uid, controller: true }] },
    });
    const look = async (owner: string, status = {}) => {
      const [first, ...rest] = await made(pool());
      const seen = request({ pool: pool(status), machines: rest });
      const listed = owned(first!, owner);
      const required = new Map([...seen.required, ['machines', [listed, ...rest]]]);
      return { listed, reply: await replyOf(run, { ...seen, required }) };
    };

    it('desires the machine again unchanged, because Crossplane forgets a machine that is neither observed nor desired, and never deletes it', async () => {
      const { listed, reply } = await look('pool');
      const { name = '' } = listed.metadata ?? {};
      expect(reply.resources.get(name)?.resource).toEqual(asDesired(listed));
      expect(groupOf(reply)).toMatchObject({ leaving: 0, unobserved: [name] });
      expect(slots(reply)).toContain('slot-0');
    });

    it('counts the machine as being deleted when it was released, because the cache does not know of the deletion yet', async () => {
      const [first] = await made(pool());
      const { reply } = await look('pool', { released: [first?.metadata?.name] });
      expect(groupOf(reply)).toMatchObject({ leaving: 1, unobserved: [] });
      expect(reply.status['released'], 'it is remembered as long as it is listed').toEqual([first?.metadata?.name]);
    });

    it('leaves machines of an earlier pool with the same name alone', async () => {
      expect(groupOf((await look('another')).reply)).toMatchObject({ leaving: 0, unobserved: [] });
    });

    it.for(['another', undefined])(
      'counts no machine that only has its label, while that one is deleted or not, and takes no name of it: owner %s',
      async (uid) => {
        const [first, ...rest] = await made(pool());
        const going = marked(first!, { deletionTimestamp: '2026-01-01T00:00:00Z' });
        for (const machine of [first!, going]) {
          const foreign = uid === undefined ? machine : owned(machine, uid);
          const seen = request({ pool: pool(), machines: rest });
          const required = new Map([...seen.required, ['machines', [foreign, ...rest]]]);
          const reply = await replyOf(run, { ...seen, required });
          expect(groupOf(reply)).toMatchObject({ leaving: 0, unobserved: [] });
          expect(reply.status['replicas']).toBe(2);
          expect(slots(reply)).toHaveLength(3);
          expect(composed(reply).map(({ metadata }) => metadata?.name)).not.toContain(first?.metadata?.name);
        }
      },
    );

    it('counts no machine of which it is an owner and not the controller', async () => {
      const [first, ...rest] = await made(pool());
      const going = marked(first!, { deletionTimestamp: '2026-01-01T00:00:00Z' });
      const shared = { ...going, metadata: { ...going.metadata, ownerReferences: [{ uid: 'pool' }] } };
      const seen = request({ pool: pool(), machines: rest });
      const required = new Map([...seen.required, ['machines', [shared, ...rest]]]);
      expect(groupOf(await replyOf(run, { ...seen, required })).leaving).toBe(0);
    });
  });

  it('treats a machine as ready whose last pipeline failed, because functions are unavailable for a moment while they are upgraded', async () => {
    const machines = (await made(aNodePool())).map((machine) => {
      const status = machine.status?.['conditions'] as readonly JsonObject[];
      const others = status.filter(({ type }) => type !== 'Synced');
      return withStatus(machine, {
        conditions: [...others, { type: 'Synced', status: 'False', reason: 'ReconcileError' }],
      });
    });
    expect((await replyOf(run, request({ machines }))).status['readyReplicas']).toBe(3);
  });

  it.for(['', 'abc', '01', '1e1', '-1', undefined])(
    'stops at a machine whose slot label is %j, because ignoring the machine would delete it',
    async (slot) => {
      const [first, ...rest] = await made(aNodePool());
      const { 'slipway.dev/slot': _slot, ...labels } = first?.metadata?.labels ?? {};
      const marked = slot === undefined ? labels : { ...labels, 'slipway.dev/slot': slot };
      const odd = { ...first!, metadata: { ...first!.metadata, labels: marked } };
      await expect(replyOf(run, request({ machines: [odd, ...rest] }))).rejects.toMatchObject({
        code: 'InvalidObserved',
      });
    },
  );

  it('continues when a kubelet reports an invalid version', async () => {
    const machines = (await made(aNodePool())).map((machine) =>
      withStatus(machine, { ...machine.status, version: 'v0.0.0-master+$Format:%H$' }),
    );
    expect((await replyOf(run, request({ machines }))).status['replicas']).toBe(3);
  });

  it('does not desire a machine that a user deleted, because it could be created again under its name', async () => {
    const [first, ...rest] = await made(aNodePool());
    const leaving = { ...first!, metadata: { ...first!.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    for (const pool of [aNodePool(), aNodePool({ spec: { paused: true } })]) {
      const reply = await replyOf(run, request({ pool, machines: [leaving, ...rest] }));
      expect(composed(reply).map(({ metadata }) => metadata?.name)).not.toContain(first?.metadata?.name);
      expect(slots(reply)).not.toContain(first?.metadata?.name);
    }
  });

  it('does not use the name of a machine that is being deleted', async () => {
    const [first] = await made(aNodePool());
    const leaving = { ...first!, metadata: { ...first!.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    const reply = await replyOf(run, request({ machines: [leaving] }));
    const names = composed(reply).map(({ metadata }) => metadata?.name);
    expect(names).not.toContain(first?.metadata?.name);
    expect(reply.status['replicas']).toBe(1);
  });

  it('never uses the name of a deleted machine again, because objects of that machine may still have it', async () => {
    const machines = await made(aNodePool());
    const pool = { ...aNodePool(), status: (await replyOf(run, request({ machines }))).status };
    const again = await replyOf(run, request({ pool, machines: machines.slice(1) }));
    const names = machines.map(({ metadata }) => metadata?.name);
    expect(slots(again)).toContain('slot-0');
    expect(names).not.toContain(again.resources.get('slot-0')?.resource.metadata?.name);
  });

  it('gives the same names when a call is repeated before its machines are observed', async () => {
    const first = await replyOf(run, request({}));
    const pool = { ...aNodePool(), status: first.status };
    expect(composed(await replyOf(run, request({ pool })))).toEqual(composed(first));
  });

  it('keeps its machines exactly as they are while it is paused, and still scales', async () => {
    const machines = await made(aNodePool());
    const pool = aNodePool({ spec: { paused: true, machine: { class: 'other' } } });
    expect(composed(await replyOf(run, request({ pool, machines })))).toEqual(machines.map(asDesired));
    const scaled = (replicas: number) => aNodePool({ spec: { paused: true, replicas } });
    expect(slots(await replyOf(run, request({ pool: scaled(2), machines })))).toHaveLength(2);
    expect(slots(await replyOf(run, request({ pool: scaled(4), machines })))).toHaveLength(4);
  });
});

describe('a control-plane pool', () => {
  const pool = aNodePool({ spec: { role: 'control-plane' } });
  const starting = aCluster({
    status: { infrastructure: INFRASTRUCTURE, controlPlaneEndpoint: { host: 'h', port: 6443 } },
  });

  it('begins with exactly one machine, which starts the cluster', async () => {
    const reply = await replyOf(run, request({ pool, cluster: starting }));
    expect(slots(reply)).toEqual(['slot-0']);
    expect(at(composed(reply)[0], 'spec', 'bootstrap', 'action')).toBe('Init');
    expect(reply.compositeReady).toBe('False');
  });

  it('does not change that machine until the cluster is started, whatever the claim says meanwhile', async () => {
    const [first] = composed(await replyOf(run, request({ pool, cluster: starting })));
    const edited = aNodePool({ spec: { role: 'control-plane', machine: { class: 'other' } } });
    expect(composed(await replyOf(run, request({ pool: edited, cluster: starting, machines: [first!] })))).toEqual([
      asDesired(first!),
    ]);
  });

  it('does not start a second cluster while the lost first machine still exists', async () => {
    const [first] = composed(await replyOf(run, request({ pool, cluster: starting })));
    const lost = withStatus(
      first!,
      conditions(false, [{ type: 'NodeHealthy', status: 'False', reason: 'MachineLost' }]),
    );
    const recording = await replyOf(run, request({ pool, cluster: starting, machines: [lost] }));
    expect(slots(recording), 'the name is used up once the status counts it').toEqual([lost.metadata?.name]);
    const { pendingRemediations } = recording.status;
    const recorded = { ...pool, status: { pendingRemediations: pendingRemediations! } };
    expect(slots(await replyOf(run, request({ pool: recorded, cluster: starting, machines: [lost] })))).toEqual([]);
    const leaving = { ...lost, metadata: { ...lost.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(slots(await replyOf(run, request({ pool, cluster: starting, machines: [leaving] })))).toEqual([]);
    expect(slots(await replyOf(run, request({ pool, cluster: starting })))).toEqual(['slot-0']);
  });

  it('lets the others join one after the other', async () => {
    const [first] = await made(pool);
    expect(slots(await replyOf(run, request({ pool, machines: [first!] })))).toEqual(['slot-0', 'slot-1']);
    const joining = (await made(pool, false)).slice(0, 1);
    expect(slots(await replyOf(run, request({ pool, machines: joining })))).toEqual(['slot-0']);
  });

  it('stays initialized once a machine became a node', async () => {
    const [first] = await made(pool);
    expect((await replyOf(run, request({ pool, cluster: starting, machines: [first!] }))).status['initialized']).toBe(
      true,
    );
    const remembered = { ...pool, status: { initialized: true } };
    expect((await replyOf(run, request({ pool: remembered, cluster: starting }))).status['initialized']).toBe(true);
  });
});

describe('a claim that cannot be accepted', () => {
  test.for([
    {
      name: 'unknown zone',
      spec: { machine: { class: 'a', zones: ['eu-west-1a', 'mars'] } },
      line: 'cannot accept NodePool "team-a/general": spec.machine.zones[1]: "mars" is not accepted; accepted: eu-west-1a, eu-west-1b, eu-west-1c',
    },
    {
      name: 'no room to update',
      spec: { update: { maxSurge: 0, maxUnavailable: '0%' } },
      line: 'cannot accept NodePool "team-a/general": spec.update: must allow progress: maxSurge and maxUnavailable cannot both be zero',
    },
    {
      name: 'an even number of control-plane machines with local etcd',
      spec: { role: 'control-plane', replicas: 2 },
      line: 'cannot accept NodePool "team-a/general": spec.replicas: 2 is not accepted; accepted: an odd number, so that etcd keeps a majority when a machine is lost',
    },
    {
      name: 'unknown field',
      spec: { replica: 3 },
      line: 'cannot accept NodePool "team-a/general": spec.replica: unknown field; accepted: annotations, bootstrap, clusterRef, crossplane, deletion, health, infrastructure, labels, machine, paused, provisioning, replicas, role, taints, update, version',
    },
  ])('is refused in one line: $name', async ({ spec, line }) => {
    await expect(replyOf(run, request({ pool: aNodePool({ spec }) }))).rejects.toThrow(line);
  });

  it('is refused when the Composition’s input has a typo', async () => {
    const input = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'NodePoolInput', tll: '1m' };
    await expect(replyOf(run, request({ input }))).rejects.toThrow(
      'cannot accept NodePoolInput of the Composition: tll: unknown field; accepted: allowInClear, apiVersion, classes, cloud, cloudProvider, defaultImage, environmentConfig, images, kind, limits, otherFormats, overrides, regions, ttl',
    );
  });
});

describe('the laws', () => {
  it('hold for a pool that is being created, that is settled, and that is scaled', async () => {
    const machines = await made(aNodePool());
    for (const one of [
      request({}),
      request({ machines }),
      request({ machines, pool: aNodePool({ spec: { replicas: 5 } }) }),
      request({ machines, pool: aNodePool({ spec: { version: 'v1.33.0' } }) }),
      request({
        machines,
        pool: aNodePool({ spec: { update: { rolloutAfter: '2025-12-31T00:00:00Z', minReadySeconds: 60 } } }),
      }),
    ]) {
      await expectPure(run, one);
      await expectOrderBlind(run, one);
      await expectNeverSmallerThanWanted(one);
    }
  });

  it('hold for a pool that gives machines up, and one that releases some', async () => {
    const machines = (await made(aNodePool({ spec: { replicas: 6 } }))).map((machine, index) =>
      index === 0 || index === 4
        ? withStatus(machine, conditions(false, [{ type: 'NodeHealthy', status: 'False', reason: 'MachineLost' }]))
        : machine,
    );
    for (const spec of [
      { replicas: 6 },
      { replicas: 3, deletion: { order: 'Random' } },
      { replicas: 6, paused: true },
    ]) {
      await expectPure(run, request({ machines, pool: aNodePool({ spec }) }));
      await expectOrderBlind(run, request({ machines, pool: aNodePool({ spec }) }));
    }
  });

  it('hold while machines are replaced, with two in a slot', async () => {
    const machines = await made(aNodePool({ spec: { replicas: 9 } }));
    const lostOnes = conditions(false, [{ type: 'NodeHealthy', status: 'False', reason: 'MachineLost' }]);
    const twins = machines.map((machine, index) => ({
      ...withStatus(machine, index < 1 ? lostOnes : conditions(index % 2 === 0)),
      metadata: {
        ...machine.metadata,
        name: `general-${index}-twin`,
        annotations: { 'slipway.dev/remediation-for': `{"machine":"m-${index}","retryCount":${index}}` },
      },
    }));
    for (const spec of [{ replicas: 9 }, { replicas: 4, deletion: { order: 'Random' } }]) {
      const one = request({ pool: aNodePool({ spec }), machines: [...machines, ...twins] });
      await expectPure(run, one);
      await expectOrderBlind(run, one);
    }
  });

  /** The next step changes the keys of slots, so machines are identified by name here. */
  async function expectNeverSmallerThanWanted(one: ReturnType<typeof request>): Promise<void> {
    const bySlot = {
      ...one,
      observed: {
        ...one.observed,
        resources: new Map(
          [...one.observed.resources].map(([, value]) => [
            `slot-${value.resource.metadata?.labels?.['slipway.dev/slot'] ?? ''}`,
            value,
          ]),
        ),
      },
    };
    await expectNeverSmaller(run, bySlot);
  }

  it('never gives two machines the same name, and never a name too long for a host', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 25 }),
        fc.stringMatching(/^[a-z]([a-z0-9-]{0,49}[a-z0-9])?$/),
        async (replicas, name) => {
          const pool = { ...aNodePool({ spec: { replicas } }), metadata: { name, namespace: 'team-a' } };
          const names = composed(await replyOf(run, request({ pool }))).map(({ metadata }) => metadata?.name ?? '');
          expect(names).toHaveLength(replicas);
          expect(new Set(names).size).toBe(replicas);
          expect(names.filter((text) => text.length > 63)).toEqual([]);
        },
      ),
      { numRuns: 50 },
    );
  });
});
