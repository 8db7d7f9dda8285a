/** Zones without capacity: what the claims report, and where the machines are created instead. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { type Engine, type NoCapacity } from '#simulator/engine.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { installedEngine } from '../support/example.ts';

const MACHINES = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Machine' };
const CLUSTER = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Cluster', namespace: 'team-a', name: 'prod' };
const POOL = { ...CLUSTER, kind: 'NodePool', name: 'prod-general' };

/** A cluster with one control-plane machine and a pool, on a cloud without capacity in the given places. */
function aCluster(noCapacity: readonly NoCapacity[], replicas: number): Engine {
  const engine = installedEngine({ faults: { noCapacity } });
  engine.apply(claimOf(CLUSTER.name, 1));
  engine.apply(claimOf(POOL.name, replicas));
  return engine;
}

/** A claim of the example with that many machines. */
function claimOf(name: string, replicas: number): KubeObject {
  const claim = readObjects([join(ROOT, 'examples/aws')]).find(({ metadata }) => metadata?.name === name)!;
  const { spec = {} } = claim;
  if (claim.kind === 'NodePool') return { ...claim, spec: { ...spec, replicas } };
  return { ...claim, spec: { ...spec, controlPlane: { ...(spec['controlPlane'] as JsonObject), replicas } } };
}

const isReady = (engine: Engine) => (): boolean =>
  [CLUSTER, POOL].every((ref) => conditionOf(engine.get(ref), 'Ready')?.status === 'True');

/** All messages of a condition of an object until the run ends. */
async function run(engine: Engine, limitSeconds: number): Promise<(kind: string, type: string) => string> {
  const said = new Map<string, Set<string>>();
  const listen = (): void => {
    for (const [kind, type] of [
      ['Cluster', 'ControlPlaneAvailable'],
      ['Cluster', 'Available'],
      ['NodePool', 'MachinesReady'],
      ['NodePool', 'Remediating'],
    ] as const) {
      const { message } = conditionOf(engine.get(kind === 'Cluster' ? CLUSTER : POOL), type) ?? {};
      const known = said.get(`${kind} ${type}`) ?? new Set();
      said.set(`${kind} ${type}`, message === undefined ? known : known.add(message));
    }
  };
  await engine.runUntil(() => (listen(), isReady(engine)()), { limitSeconds });
  return (kind, type) => [...(said.get(`${kind} ${type}`) ?? [])].join('\n');
}

function zonesOf(engine: Engine, pool: string): readonly string[] {
  return engine
    .list(MACHINES)
    .filter((machine) => stringAt(machine, 'spec', 'nodePoolRef', 'name') === pool)
    .map((machine) => stringAt(machine, 'spec', 'failureDomain') ?? '')
    .toSorted();
}

describe('a zone without capacity for a pool', () => {
  it('is replaced by the next zone, and the pool reports the message of the cloud', async () => {
    const engine = aCluster([{ zone: 'eu-west-1a', size: 'm6i.xlarge' }], 3);
    const said = await run(engine, 3600);
    expect(isReady(engine)()).toBe(true);
    expect(zonesOf(engine, POOL.name)).toEqual(['eu-west-1b', 'eu-west-1b', 'eu-west-1c']);
    const why = /Machine prod-general-0-\w+: InsufficientInstanceCapacity: .*m6i.xlarge.*\(eu-west-1a\)/;
    expect(said('NodePool', 'MachinesReady')).toMatch(why);
    expect(said('NodePool', 'Remediating')).toMatch(/found no capacity in eu-west-1a/);
    expect(engine.snapshot().counters.machinesBooted, 'three machines and one of the control plane').toBe(4);
  });

  it('is not tried by machines that are created soon after', async () => {
    const engine = aCluster([{ zone: 'eu-west-1a', size: 'm6i.xlarge' }], 3);
    await run(engine, 3600);
    engine.apply(claimOf(POOL.name, 4));
    await engine.runUntil(() => zonesOf(engine, POOL.name).length === 4, { limitSeconds: engine.seconds + 300 });
    expect(zonesOf(engine, POOL.name)).not.toContain('eu-west-1a');
  });
});

describe('several zones without capacity', () => {
  it('are tried one after the other, without the delays that failures need', async () => {
    const engine = aCluster(
      ['eu-west-1a', 'eu-west-1b'].map((zone) => ({ zone, size: 'm6i.xlarge' })),
      1,
    );
    await run(engine, 3600);
    expect(isReady(engine)()).toBe(true);
    expect(zonesOf(engine, POOL.name)).toEqual(['eu-west-1c']);
    expect(engine.seconds).toBeLessThan(1200);
  });
});

describe('a cloud without capacity in any zone', () => {
  const zones = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'];

  it('is tried again with growing delays, and the pool reports that, until there is capacity', async () => {
    const engine = aCluster(
      zones.map((zone) => ({ zone, size: 'm6i.xlarge', until: 1800 })),
      1,
    );
    const said = await run(engine, 2 * 3600);
    expect(isReady(engine)()).toBe(true);
    expect(said('NodePool', 'Remediating')).toMatch(
      /no other allowed failure domain has capacity; the next try is at 2026-/,
    );
    expect(engine.seconds).toBeGreaterThan(1800);
  });
});

describe('a roll-out to a size that a zone does not have', () => {
  it('waits with growing delays, keeps every ready machine, and ends once there is capacity', async () => {
    const engine = aCluster([{ zone: 'eu-west-1a', size: 'm6i.2xlarge', until: 4500 }], 3);
    await run(engine, 3600);
    const before = engine.snapshot().counters.machinesBooted;
    const claim = claimOf(POOL.name, 3);
    const machine = { class: 'standard-8', image: 'ami-0bbbbbbbbbbbbb352' };
    engine.apply({ ...claim, spec: { ...claim.spec, machine } });
    let least = 3;
    const made = new Set<string>();
    const watch = (): boolean => {
      const machines = engine
        .list(MACHINES)
        .filter((one) => stringAt(one, 'spec', 'nodePoolRef', 'name') === POOL.name);
      for (const { metadata } of machines) made.add(metadata?.name ?? '');
      least = Math.min(least, machines.filter((one) => conditionOf(one, 'Ready')?.status === 'True').length);
      return false;
    };
    await engine.runUntil(watch, { limitSeconds: 2 * 3600 });
    expect(isReady(engine)()).toBe(true);
    expect(least).toBe(3);
    expect(engine.snapshot().counters.machinesBooted - before).toBe(3);
    expect(made.size, 'three old, three new, and few attempts in an hour').toBeLessThan(12);
  });
});

describe('a zone without capacity for the control plane', () => {
  it('is replaced by the next zone, and the Cluster reports the message of the cloud', async () => {
    const engine = aCluster([{ zone: 'eu-west-1a', size: 'm6i.large' }], 1);
    const said = await run(engine, 3600);
    expect(isReady(engine)()).toBe(true);
    expect(zonesOf(engine, 'prod-control-plane')).toEqual(['eu-west-1b']);
    for (const type of ['ControlPlaneAvailable', 'Available'])
      expect(said('Cluster', type)).toMatch(
        /waiting for the control plane to be initialized: Machine prod-control-plane-0-\w+: InsufficientInstanceCapacity: .*\(eu-west-1a\)/,
      );
  });
});
