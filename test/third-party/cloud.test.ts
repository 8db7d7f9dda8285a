/**
 * A made-up third-party cloud: its folder, its Compositions, an example, and a line in the registry of each function
 * with a registry of clouds. No other file of the project changes.
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

/** An engine with both clouds. */
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

  test('becomes Ready, with a node for every machine', () => {
    expect(reached).toBe(true);
    expect(machines).toHaveLength(3);
    expect(machines.every(({ status }) => stringAt(status, 'nodeRef', 'name') !== undefined)).toBe(true);
  });

  test('has no object of another cloud', () => {
    const foreign = SIMULATED_CLOUDS.flatMap(({ kinds }) => kinds).flatMap((kind) => engine.list(kind));
    expect(foreign).toEqual([]);
  });

  test('has provider ids made from names, in the format that names the project, though no machine has a failure domain', () => {
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

  test('has the sizes of the cloud', () => {
    const sizes = engine
      .list({ apiVersion: 'compute.cumulus.example/v1', kind: 'Instance' })
      .map((instance) => stringAt(instance, 'spec', 'forProvider', 'size') ?? '');
    expect(sizes.toSorted()).toEqual(['puffy', 'towering', 'towering']);
  });
});

/**
 * What such a cloud needs: `controlPlane: 'managed'`, and a plan that reports endpoint, version, authority, whether the
 * control plane was created, and why it is not ready. Its Composition has a bootstrap step only if nodes join with a
 * bootstrapper that creates no keys.
 */
describe('a cluster with a managed control plane', async () => {
  const cluster = CLAIM.find(({ kind }) => kind === 'Cluster')!;
  // The schema requires the size of control-plane machines on every cloud; a cloud without them ignores it.
  const crossplane = { compositionSelector: { matchLabels: { 'slipway.dev/flavor': 'cumulus-managed' } } };
  const engine = engineWith([{ ...cluster, spec: { ...cluster.spec, crossplane } }]);
  const waiting = { conditions: new Map<string, string | undefined>() };
  const claimed = (): KubeObject => own(engine, 'Cluster')[0]!;
  await engine.runUntil(() => own(engine, 'Cluster')[0]?.status?.['conditions'] !== undefined, { limitSeconds: 60 });
  for (const type of ['ControlPlaneInitialized', 'Available'])
    waiting.conditions.set(type, conditionOf(claimed(), type)?.message);
  await engine.runUntil(() => conditionOf(claimed(), 'Ready')?.status === 'True', { limitSeconds: 600 });

  test('first reports that it waits for the cloud, and not for a machine', () => {
    expect(waiting.conditions.get('ControlPlaneInitialized')).toBe('waiting for the cloud to create the control plane');
    expect(waiting.conditions.get('Available')).toContain('waiting for the control plane to be initialized');
  });

  test('has no pool and no machine, and becomes Ready', () => {
    expect(conditionOf(claimed(), 'Ready')?.status).toBe('True');
    expect(conditionOf(claimed(), 'ControlPlaneAvailable')?.status).toBe('True');
    expect(own(engine, 'NodePool')).toEqual([]);
    expect(own(engine, 'Machine')).toEqual([]);
  });

  test('has the endpoint, version and initialization that the cloud reports', () => {
    const { controlPlaneEndpoint, controlPlane } = claimed().status as Record<string, JsonObject>;
    expect(controlPlaneEndpoint).toEqual({ host: 'prod.cumulus.example', port: 443 });
    expect(controlPlane).toMatchObject({ initialized: true, version: 'v1.35.4', replicas: 0 });
  });

  test('passes on the authority of the cluster to nodes', () => {
    expect(stringAt(claimed().status, 'certificateAuthority')).toMatch(/^LS0tLS1CRUdJTiBDRVJU/);
  });

  describe('the function called directly', () => {
    const composite = claimed();
    const answer = async (clouds: InfrastructureClouds, request = aRequest({ composite, input: INPUT })) =>
      (await clusterFunction(clouds)(request, aWorld())).build();

    test('keeps initialization and version while the cloud reports nothing', async () => {
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

    test('is refused by name when the cloud does not report the control plane that it claims to manage', async () => {
      const silent: typeof cumulusManaged = {
        ...cumulusManaged,
        plan(situation) {
          const { controlPlane: _unsaid, ...plan } = cumulusManaged.plan(situation);
          return plan;
        },
      };
      await expect(answer({ 'cumulus-managed': silent })).rejects.toThrow(
        'cannot plan a cluster on Cumulus with managed control planes: its plan has no control plane',
      );
    });

    test('lists the known clouds when a Composition names another', async () => {
      await expect(
        answer(
          { cumulus: infrastructure, 'cumulus-managed': cumulusManaged },
          aRequest({ composite, input: { ...INPUT, cloud: 'aws' } }),
        ),
      ).rejects.toThrow(/cloud.*"aws".*cumulus/);
    });
  });
});
