/**
 * A cloud that is not ours and does not exist: its folder, its Compositions, an example, and a line in the registry of
 * each function that knows clouds. Nothing else of the project is touched.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { InfrastructureClouds } from '#lib/cloud/infrastructure.ts';
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { createEngine, type Engine } from '#simulator/engine.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { compositions, definitions } from '../../cli/files/repository.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { CLOUDS as INFRASTRUCTURES } from '../../functions/cluster/clouds.ts';
import { clusterFunction } from '../../functions/cluster/fn.ts';
import { CLOUDS as MACHINES } from '../../functions/machine/clouds.ts';
import { machineFunction } from '../../functions/machine/fn.ts';
import { aNodePool } from '../support/claims.ts';
import { inProcessWith } from '../support/in-process.ts';
import { aRequest, aWorld } from '../support/request.ts';
import { cumulus as infrastructure } from './cumulus/infrastructure.ts';
import { cumulus as machine } from './cumulus/machine.ts';
import { cumulusManaged } from './cumulus/managed.ts';
import { CUMULUS } from './cumulus/simulated.ts';

const FOLDER = join(import.meta.dirname, 'cumulus');
const CLAIM = readObjects([join(FOLDER, 'claim.yaml')]);

const INPUT = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'ClusterInput', cloud: 'cumulus-managed' };

const functions = inProcessWith({
  cluster: clusterFunction({ ...INFRASTRUCTURES, cumulus: infrastructure, 'cumulus-managed': cumulusManaged }),
  machine: machineFunction({ ...MACHINES, cumulus: machine }),
});

/** An engine in which both clouds are there. */
function engineWith(claims: readonly KubeObject[]): Engine {
  const engine = createEngine({
    clouds: [...SIMULATED_CLOUDS, CUMULUS],
    start: new Date('2026-01-01T00:00:00Z'),
    seed: 0,
    functions,
  });
  engine.load([...definitions(), ...compositions(), ...compositions(join(FOLDER, 'compositions'))]);
  for (const claim of claims) engine.apply(claim);
  return engine;
}

const own = (engine: Engine, kind: string): readonly KubeObject[] =>
  engine.list({ apiVersion: 'slipway.dev/v1alpha1', kind });
describe('a cluster on a third-party cloud', async () => {
  const engine = engineWith(CLAIM);
  const { reached } = await engine.runUntil(() => allReady(engine), { limitSeconds: 3600 });
  const machines = own(engine, 'Machine');

  test('becomes Ready, with every machine a node', () => {
    expect(reached).toBe(true);
    expect(machines).toHaveLength(3);
    expect(machines.every(({ status }) => stringAt(status, 'nodeRef', 'name') !== undefined)).toBe(true);
  });

  test('has nothing of another cloud', () => {
    const foreign = SIMULATED_CLOUDS.flatMap(({ kinds }) => kinds).flatMap((kind) => engine.list(kind));
    expect(foreign).toEqual([]);
  });

  test('has provider ids of names, in the format that names the project, though no machine has a failure domain', () => {
    for (const { metadata, status } of machines) {
      expect(stringAt(status, 'providerID')).toBe(`cumulus://acme/${metadata?.name}`);
      expect(stringAt(status, 'instanceID')).toMatch(/^instance-/);
      expect(stringAt(status, 'failureDomain')).toBeUndefined();
    }
  });

  test('reports addresses that only another object than the machine has', () => {
    for (const { status } of machines)
      expect(at(status, 'addresses')).toEqual([{ type: 'InternalIP', address: expect.stringMatching(/^10\.9\.0\./) }]);
  });

  test('has its sizes in the cloud’s own words', () => {
    const sizes = engine
      .list({ apiVersion: 'compute.cumulus.example/v1', kind: 'Instance' })
      .map((instance) => stringAt(instance, 'spec', 'forProvider', 'size') ?? '');
    expect(sizes.toSorted()).toEqual(['puffy', 'towering', 'towering']);
  });
});

/**
 * What such a cloud needs: it says `controlPlane: 'managed'`, and its plan tells endpoint, version, authority, whether
 * the control plane was made, and why it does not serve. Its Composition has a bootstrap step only if nodes join by a
 * bootstrapper that makes no keys of its own.
 */
describe('a cluster whose control plane the cloud runs', async () => {
  const cluster = CLAIM.find(({ kind }) => kind === 'Cluster')!;
  // The schema asks for the size of control-plane machines on every cloud; where the cloud has none, it says nothing.
  const crossplane = { compositionSelector: { matchLabels: { 'slipway.dev/flavor': 'cumulus-managed' } } };
  const engine = engineWith([{ ...cluster, spec: { ...cluster.spec, crossplane } }]);
  const waiting = { conditions: new Map<string, string | undefined>() };
  const claimed = (): KubeObject => own(engine, 'Cluster')[0]!;
  await engine.runUntil(() => own(engine, 'Cluster')[0]?.status?.['conditions'] !== undefined, { limitSeconds: 60 });
  for (const type of ['ControlPlaneInitialized', 'Available'])
    waiting.conditions.set(type, conditionOf(claimed(), type)?.message);
  await engine.runUntil(() => conditionOf(claimed(), 'Ready')?.status === 'True', { limitSeconds: 600 });

  test('says at first that it waits for the cloud, and for no machine', () => {
    expect(waiting.conditions.get('ControlPlaneInitialized')).toBe('waiting for the cloud to create the control plane');
    expect(waiting.conditions.get('Available')).toContain('waiting for the control plane to be initialized');
  });

  test('has no pool and no machine, and becomes Ready', () => {
    expect(conditionOf(claimed(), 'Ready')?.status).toBe('True');
    expect(conditionOf(claimed(), 'ControlPlaneAvailable')?.status).toBe('True');
    expect(own(engine, 'NodePool')).toEqual([]);
    expect(own(engine, 'Machine')).toEqual([]);
  });

  test('has endpoint, version and beginning as the cloud tells them', () => {
    const { controlPlaneEndpoint, controlPlane } = claimed().status as Record<string, JsonObject>;
    expect(controlPlaneEndpoint).toEqual({ host: 'prod.cumulus.example', port: 443 });
    expect(controlPlane).toMatchObject({ initialized: true, version: 'v1.35.4', replicas: 0 });
  });

  test('tells nodes what they trust it by', () => {
    expect(stringAt(claimed().status, 'certificateAuthority')).toMatch(/^LS0tLS1CRUdJTiBDRVJU/);
  });

  describe('called by itself', () => {
    const composite = claimed();
    const answer = async (clouds: InfrastructureClouds, request = aRequest({ composite, input: INPUT })) =>
      (await clusterFunction(clouds)(request, aWorld())).build();

    test('keeps telling that it was made and which version it has while the cloud tells nothing', async () => {
      const { status } = await answer({ 'cumulus-managed': cumulusManaged });
      expect(status['controlPlane']).toMatchObject({ initialized: true, version: 'v1.35.4' });
      expect(status['certificateAuthority']).toBe(at(composite.status, 'certificateAuthority'));
    });

    test('keeps a pool that another release composed', async () => {
      const pool = aNodePool();
      const labelled = { ...pool, metadata: { ...pool.metadata, labels: { 'slipway.dev/cluster': 'prod' } } };
      const observed = { 'control-plane': labelled };
      const { resources } = await answer(
        { 'cumulus-managed': cumulusManaged },
        aRequest({ composite, input: INPUT, observed }),
      );
      expect(resources.has('control-plane')).toBe(true);
    });

    test('is refused by name when the cloud does not tell of the control plane that it says it manages', async () => {
      const silent = { ...infrastructure, controlPlane: 'managed' as const };
      await expect(
        answer({ cumulus: silent }, aRequest({ composite, input: { ...INPUT, cloud: 'cumulus' } })),
      ).rejects.toThrow('cannot plan a cluster on Cumulus: its plan has no control plane');
    });

    test('names the clouds there are when a Composition names another', async () => {
      await expect(
        answer(
          { cumulus: infrastructure, 'cumulus-managed': cumulusManaged },
          aRequest({ composite, input: { ...INPUT, cloud: 'aws' } }),
        ),
      ).rejects.toThrow(/cloud.*"aws".*cumulus/);
    });
  });
});
