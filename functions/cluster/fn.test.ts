import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { withStatus } from '../../test/support/claims.ts';
import { EXTERNAL_ETCD } from '../../test/support/external-etcd.ts';
import {
  aClaim,
  anInput,
  byKind,
  call,
  condition,
  controlPlane,
  infrastructure,
  keys,
  live,
  objects,
  observe,
  settled,
  withReply,
} from './cluster.fixture.ts';

describe('a cluster is created step by step', async () => {
  const claim = aClaim();
  const first = await call({ claim });
  const networks = observe(first, byKind('VPC', 'Subnet'));
  const second = await call({ claim: withReply(claim, first), observed: networks });
  const balanced = observe(second, byKind('VPC', 'Subnet', 'LB'));
  const third = await call({ claim: withReply(claim, second), observed: balanced });
  const all = observe(third);
  const fourth = await call({ claim: withReply(claim, third), observed: all });
  const pool = { ...fourth.resources.get('control-plane')?.resource } as KubeObject;
  const initialized = { initialized: true, replicas: 3, readyReplicas: 1, upToDateReplicas: 3, version: 'v1.35.4' };
  const running = { ...observe(fourth), 'control-plane': { ...pool, status: initialized } };
  const fifth = await call({ claim: withReply(claim, fourth), observed: running });

  test('nothing observed: all cloud objects are desired at once, the control plane is not, and nothing is ready', () => {
    expect(keys(first)).toHaveLength(69);
    expect(keys(first)).not.toContain('control-plane');
    expect(first.compositeReady).toBe('False');
    expect([...first.resources.values()].every(({ ready }) => ready === 'False')).toBe(true);
    expect(first.status).not.toHaveProperty('controlPlaneEndpoint');
    expect(infrastructure(first)).toMatchObject({ ready: false, region: 'eu-west-1', failureDomains: [] });
    expect(condition(first, 'InfrastructureReady')).toEqual({
      type: 'InfrastructureReady',
      status: 'False',
      reason: 'Provisioning',
      message:
        'waiting for DefaultSecurityGroup prod-sg-default: not created yet; EIP prod-eip-eu-west-1a: not created yet; EIP prod-eip-eu-west-1b: not created yet; and 65 more',
    });
  });

  test('the network exists: its ids are reported, machines cannot be created yet', () => {
    expect(infrastructure(second)).toMatchObject({
      ready: false,
      network: { id: 'vpc-prod-vpc', cidr: '10.0.0.0/16' },
      failureDomains: [
        { name: 'eu-west-1a', subnet: 'subnet-prod-subnet-private-eu-west-1a' },
        { name: 'eu-west-1b', subnet: 'subnet-prod-subnet-private-eu-west-1b' },
        { name: 'eu-west-1c', subnet: 'subnet-prod-subnet-private-eu-west-1c' },
      ],
    });
    expect(infrastructure(second)).not.toHaveProperty('controlPlane');
    expect(second.resources.get('vpc')?.ready).toBe('True');
    expect(keys(second)).not.toContain('control-plane');
  });

  test('the load balancer has a name: the endpoint is reported, the control plane still waits', () => {
    expect(third.status['controlPlaneEndpoint']).toEqual({
      host: 'prod-lb-api.elb.eu-west-1.amazonaws.com',
      port: 6443,
    });
    expect(infrastructure(third).ready).toBe(false);
    expect(keys(third)).not.toContain('control-plane');
  });

  test('everything is ready: machines have all they need, and the control-plane pool is created', () => {
    expect(infrastructure(fourth)).toMatchObject({
      ready: true,
      controlPlane: {
        identity: expect.stringMatching(/^team-a-prod-[a-z0-9]{6}-control-plane$/),
        securityGroups: [
          'securitygroup-prod-sg-node',
          'securitygroup-prod-sg-lb',
          'securitygroup-prod-sg-controlplane',
        ],
        loadBalancerTargets: [{ id: 'arn:aws:test:eu-west-1:123456789012:LBTargetGroup/prod-tg-api', port: 6443 }],
      },
      worker: {
        identity: expect.stringMatching(/^team-a-prod-[a-z0-9]{6}-node$/),
        securityGroups: ['securitygroup-prod-sg-node', 'securitygroup-prod-sg-lb'],
        loadBalancerTargets: [],
      },
      providerIDFormat: 'aws:///${failureDomain}/${instanceId}',
    });
    expect(condition(fourth, 'InfrastructureReady')?.status).toBe('True');
    expect(fourth.resources.get('control-plane')).toMatchObject({
      ready: 'False',
      resource: {
        kind: 'NodePool',
        metadata: { name: 'prod-control-plane', namespace: 'team-a' },
        spec: {
          clusterRef: { name: 'prod' },
          role: 'control-plane',
          replicas: 3,
          crossplane: { compositionSelector: { matchLabels: { 'slipway.dev/flavor': 'aws' } } },
        },
      },
    });
    expect(fourth.status['controlPlane']).toMatchObject({ initialized: false, replicas: 0 });
    expect(fourth.events).toEqual([
      { severity: 'Normal', reason: 'InfrastructureReady', message: 'machines can be created' },
    ]);
  });

  test('the Cluster also reports why the control plane keeps its version, with one event', async () => {
    const message = 'v1.37.0 skips a minor version: machines run v1.35.4; accepted: up to v1.36';
    const held = { type: 'VersionAccepted', status: 'False', reason: 'MinorSkipped', message };
    const refusing = { ...running, 'control-plane': { ...pool, status: { ...initialized, conditions: [held] } } };
    const reply = await call({ claim: withReply(claim, fifth), observed: refusing });
    expect(condition(reply, 'VersionAccepted')).toEqual(held);
    expect(reply.events).toContainEqual({ severity: 'Warning', reason: 'MinorSkipped', message });
    expect((await call({ claim: withReply(claim, reply), observed: refusing })).events).toEqual([]);
    expect(
      condition(await call({ claim: withReply(claim, reply), observed: running }), 'VersionAccepted')?.status,
    ).toBe('True');
    expect(condition(fifth, 'VersionAccepted')).toBeUndefined();
  });

  test('the first machine became a node: the control plane is initialised, and available only with a majority', async () => {
    expect(fifth.status['controlPlane']).toEqual(initialized);
    expect(condition(fifth, 'ControlPlaneInitialized')?.status).toBe('True');
    expect(condition(fifth, 'Available')).toMatchObject({
      status: 'False',
      message: '1 of 3 control-plane machines are ready; needed: 2',
    });
    const two = { ...pool, status: { ...initialized, readyReplicas: 2 } };
    const next = await call({ claim: withReply(claim, fifth), observed: { ...running, 'control-plane': two } });
    expect(condition(next, 'Available')?.status).toBe('True');
    expect(next.events, 'nothing changed, so there is no event').toEqual([]);
  });

  test('the Cluster also reports what its machines wait for, with the message of the pool', async () => {
    const why = 'Machine prod-control-plane-1-aaaaa: InsufficientInstanceCapacity: no m6i.large in (eu-west-1b)';
    const ask = async (readyReplicas: number, condition: JsonObject, more: JsonObject = {}) => {
      const status = { ...initialized, readyReplicas, conditions: [condition], ...more };
      return call({ claim: withReply(claim, fifth), observed: { ...running, 'control-plane': { ...pool, status } } });
    };
    const lacking = { type: 'MachinesReady', status: 'False', reason: 'NotReady', message: why };
    for (const type of ['ControlPlaneAvailable', 'Available'])
      expect(condition(await ask(1, lacking), type)).toMatchObject({
        status: 'False',
        message: `1 of 3 control-plane machines are ready; needed: 2: ${why}`,
      });
    const enough = await ask(2, lacking);
    expect(condition(enough, 'ControlPlaneAvailable')).toMatchObject({ status: 'True', message: why });
    expect(condition(enough, 'Available')).toEqual({ type: 'Available', status: 'True', reason: 'Available' });
    const fails = { type: 'Synced', status: 'False', reason: 'ReconcileError', message: 'cannot run function' };
    expect(condition(await ask(1, fails), 'Available')?.message).toMatch(/needed: 2: cannot run function$/);
    const starting = await ask(0, lacking, { initialized: false });
    expect(condition(starting, 'ControlPlaneAvailable')?.message, 'it stays initialised').toContain(why);
  });

  test('with external etcd one machine makes it available, but not when only a refused edit of the claim says so', async () => {
    const spec = { ...claim.spec, bootstrap: { config: EXTERNAL_ETCD } };
    const available = async (certificates: JsonObject) => {
      const recorded = withStatus(withReply(claim, fifth), {
        certificates: { caCertHash: 'sha256:00', ...certificates },
      });
      return condition(await call({ claim: { ...recorded, spec }, observed: running }), 'Available')?.status;
    };
    expect(await available({ etcd: 'External' })).toBe('True');
    expect(await available({})).toBe('False');
  });

  test('once initialised, always initialised: a pool without that status, or a missing pool, never lets a second machine start the cluster', async () => {
    const { 'control-plane': _pool, ...without } = running;
    for (const observed of [
      without,
      { ...running, 'control-plane': { ...pool, status: { initialized: false } } },
      {},
    ]) {
      const reply = await call({ claim: withReply(claim, fifth), observed });
      expect(reply.status['controlPlane']).toMatchObject({ initialized: true });
    }
  });

  test('ids, endpoint and readiness stay in the status even if no object can be read any more', async () => {
    const blind = await call({ claim: withReply(claim, fifth), observed: {} });
    expect(blind.status['infrastructure']).toEqual(fifth.status['infrastructure']);
    expect(blind.status['controlPlaneEndpoint']).toEqual(fifth.status['controlPlaneEndpoint']);
    expect(keys(blind).toSorted(), 'no object is removed').toEqual(keys(fifth).toSorted());
    expect(condition(blind, 'InfrastructureReady')).toMatchObject({ status: 'False', reason: 'NotReady' });
  });

  test('a change that the cloud refuses is reported first, although the object stays Ready', async () => {
    const vpc = live(first.resources.get('vpc')?.resource as KubeObject);
    const refused = {
      ...vpc,
      status: {
        ...vpc.status,
        conditions: [
          { type: 'Ready', status: 'True', reason: 'Available' },
          {
            type: 'Synced',
            status: 'False',
            reason: 'ReconcileError',
            message: 'update failed:\n  cannot change the argument "cidr_block"',
          },
        ],
      },
    };
    const reply = await call({ claim: withReply(claim, fifth), observed: { ...running, vpc: refused } });
    expect(condition(reply, 'InfrastructureReady')?.message).toBe(
      'waiting for VPC prod-vpc: update failed: cannot change the argument "cidr_block"',
    );
    expect(reply.resources.get('vpc')?.ready).toBe('False');
    expect(reply.resources.has('control-plane'), 'the pool stays').toBe(true);
    expect(reply.ttl).toBe(10);
  });

  test('a settled cluster is reconciled rarely, as often as the Composition says', async () => {
    const ready = { ...live(pool), status: { ...live(pool).status, ...initialized, readyReplicas: 3 } };
    const observed = { ...running, 'control-plane': ready };
    const settled = await call({ claim: withReply(claim, fifth), observed });
    expect(settled.ttl).toBe(600);
    expect(settled.compositeReady).toBe('Unspecified');
    expect((await call({ claim: withReply(claim, fifth), observed, input: anInput({ ttl: '2m' }) })).ttl).toBe(120);
  });
});

describe('laws', () => {
  test('whatever of a cluster cannot be observed, no observed object is removed and no status is taken back', async () => {
    const { claim, reply } = await settled(
      aClaim(controlPlane({ scheme: 'internet-facing', allowedCIDRs: ['198.51.100.0/24'] })),
    );
    const observed = Object.entries(observe(reply));
    await fc.assert(
      fc.asyncProperty(fc.subarray(observed), async (seen) => {
        const blind = await call({ claim, observed: Object.fromEntries(seen) });
        expect(seen.filter(([key]) => !blind.resources.has(key)).map(([key]) => key)).toEqual([]);
        expect(blind.status['infrastructure']).toEqual(reply.status['infrastructure']);
        expect(blind.status['controlPlaneEndpoint']).toEqual(reply.status['controlPlaneEndpoint']);
        expect(blind.resources.has('control-plane')).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test('at every step, a call on its own output, in any order of keys, repeats the answer and no event', async () => {
    const { spec = {} } = aClaim({ infrastructure: { overrides: [{ kind: 'Nothing', patch: {} }] } });
    const claim = { ...withReply(aClaim(), await call()), spec };
    const first = await call({ claim });
    const all = [...first.resources.keys()];
    await fc.assert(
      fc.asyncProperty(fc.subarray(all), async (made) => {
        const wanted = new Set(made);
        const observed = observe(first, (_object, key) => wanted.has(key));
        const once = await call({ claim: withReply(claim, first), observed });
        const twice = await call({ claim: withReply(claim, once), observed });
        const reversed = Object.fromEntries(Object.entries(observed).toReversed());
        const shuffled = await call({ claim: withReply(claim, once), observed: reversed });
        expect(twice.status).toEqual(once.status);
        expect(objects(twice)).toEqual(objects(once));
        expect(twice.conditions).toEqual(once.conditions);
        expect(twice.events).toEqual([]);
        expect(JSON.stringify([shuffled.status, objects(shuffled), shuffled.conditions])).toBe(
          JSON.stringify([twice.status, objects(twice), twice.conditions]),
        );
      }),
      { numRuns: 50 },
    );
  });
});
