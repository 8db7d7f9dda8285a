/**
 * The AWS example, step by step: what must exist at each step and, just as important, what must not exist yet. The
 * functions run in process; the cloud, the nodes and Crossplane come from the embedded engine.
 * network → load balancer → certificates → first control-plane machine (init) → the others, one by one (join) → pools
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { at, type KubeObject } from '#lib/api/json.ts';
import { conditionOf } from '#lib/api/conditions.ts';
import { type Engine } from '#simulator/engine.ts';
import { exampleEngine } from '../support/example.ts';

let engine: Engine;
const list = (kind: string, apiVersion = 'slipway.dev/v1alpha1'): readonly KubeObject[] =>
  engine.list({ apiVersion, kind });
const claim = (): KubeObject => list('Cluster')[0]!;
const names = (objects: readonly KubeObject[]): readonly string[] =>
  objects.map(({ metadata }) => metadata?.name ?? '');
const isTrue = (object: KubeObject | undefined, type: string): boolean => conditionOf(object, type)?.status === 'True';
const secrets = (): readonly string[] => names(list('Secret', 'v1'));
const instances = (): readonly KubeObject[] => list('Instance', 'ec2.aws.m.upbound.io/v1beta1');
const actions = (): readonly unknown[] =>
  list('Machine')
    .filter((one) => at(one, 'spec', 'role') === 'control-plane')
    .map((one) => at(one, 'spec', 'bootstrap', 'action'));

async function until(what: string, holds: () => boolean): Promise<void> {
  const { reached } = await engine.runUntil(holds, { limitSeconds: 3600 });
  expect(reached, what).toBe(true);
}

beforeAll(() => {
  engine = exampleEngine();
});

describe('examples/aws, step by step', () => {
  it('1: the network is desired at once, and nothing that depends on it exists', async () => {
    await until('VPC', () => list('VPC', 'ec2.aws.m.upbound.io/v1beta1').length > 0);
    expect(list('Subnet', 'ec2.aws.m.upbound.io/v1beta1')).toHaveLength(6);
    expect(isTrue(claim(), 'InfrastructureReady')).toBe(false);
    expect(list('Machine')).toEqual([]);
    expect(names(list('NodePool'))).toEqual(['prod-general', 'prod-memory']);
    expect(instances()).toEqual([]);
  });

  it('2: certificates are stored once, the kubeconfig waits for the endpoint', async () => {
    await until('certificates', () => isTrue(claim(), 'CertificatesAvailable'));
    expect(secrets()).toEqual(expect.arrayContaining(['prod-ca', 'prod-etcd', 'prod-proxy', 'prod-sa']));
    expect(list('Machine')).toEqual([]);
  });

  it('3: the load balancer reports the endpoint, the kubeconfig is created, and there is no machine yet', async () => {
    await until(
      'endpoint',
      () =>
        at(claim(), 'status', 'controlPlaneEndpoint', 'host') !== undefined && secrets().includes('prod-kubeconfig'),
    );
    expect(instances()).toEqual([]);
  });

  it('4: infrastructure is ready, the control-plane pool exists, and exactly one machine starts the cluster', async () => {
    await until('first machine', () => list('Machine').length > 0);
    expect(isTrue(claim(), 'InfrastructureReady')).toBe(true);
    expect(actions()).toEqual(['Init']);
    expect(isTrue(claim(), 'ControlPlaneInitialized')).toBe(false);
  });

  it('5: no worker and no second control-plane machine while the first is not a node', async () => {
    await until('initialized', () => {
      const initialized = isTrue(claim(), 'ControlPlaneInitialized');
      expect(initialized || list('Machine').length === 1).toBe(true);
      return initialized;
    });
    expect(at(list('Machine')[0], 'status', 'nodeRef', 'name')).toBe(names(list('Machine'))[0]);
  });

  it('6: the others join one after the other, and the pools come up beside them', async () => {
    await until('everything', () => {
      const joining = list('Machine').filter(
        (one) => at(one, 'spec', 'role') === 'control-plane' && !isTrue(one, 'Ready'),
      );
      expect(joining.length).toBeLessThanOrEqual(1);
      return [...list('Cluster'), ...list('NodePool'), ...list('Machine')].every((one) => isTrue(one, 'Ready'));
    });
    expect(actions().filter((action) => action === 'Init')).toHaveLength(1);
    expect(actions()).toHaveLength(3);
    expect(instances()).toHaveLength(8);
    expect(engine.snapshot().violations).toEqual([]);
  });

  it('7: machines are in all three zones, and first-boot data fits EC2', () => {
    const zones = (role: string) =>
      new Set(
        list('Machine')
          .filter((one) => at(one, 'spec', 'role') === role)
          .map((one) => at(one, 'spec', 'failureDomain')),
      );
    expect(zones('control-plane').size).toBe(3);
    expect(zones('worker').size).toBe(3);
    const sizes = list('Machine').map((one) => at(one, 'status', 'payload', 'bytes') as number);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(16_384);
  });

  it('8: a Cluster that is deleted leaves nothing behind, in the cloud and in the API', async () => {
    const remove = (kind: string): void => {
      for (const one of list(kind))
        if (one.metadata?.['ownerReferences'] === undefined)
          engine.delete({ apiVersion: 'slipway.dev/v1alpha1', kind, namespace: 'team-a', name: names([one])[0]! });
    };
    expect(() => remove('Cluster'), 'while its pools exist').toThrow('This resource is in-use by');
    remove('NodePool');
    // Each is a Usage of the Cluster by a pool or by the node of a worker.
    const keepers = () =>
      list('Usage', 'protection.crossplane.io/v1beta1').filter((one) => at(one, 'spec', 'of', 'kind') === 'Cluster');
    expect(keepers().length).toBeGreaterThan(2);
    await until('the last worker is drained', () => keepers().length === 0);
    remove('Cluster');
    await until('nothing', () => engine.snapshot().counters.cloudObjects === 0 && list('Machine').length === 0);
    expect(secrets()).toEqual([]);
    expect(engine.snapshot().violations).toEqual([]);
  });
});
