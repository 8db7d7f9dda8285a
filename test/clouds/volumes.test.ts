/**
 * Drivers in a cluster attach volumes to its machines and detach them, and the provider of the machines is not asked: it
 * must leave these volumes alone, and go on changing what else changes.
 */
import { describe, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type KubeObject } from '#lib/api/json.ts';
import type { Engine } from '#simulator/engine.ts';
import { crdsAvailable, validateManaged } from '../support/crds.ts';
import { installedEngine } from '../support/example.ts';
import { CLUSTER, onePool, POOL } from './one-pool.ts';

const FLAVOURS = [
  { flavour: 'aws', vm: { apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Instance' }, list: 'ebsBlockDevice' },
  { flavour: 'gcp', vm: { apiVersion: 'compute.gcp.m.upbound.io/v1beta1', kind: 'Instance' }, list: 'attachedDisk' },
];
const MACHINES = [
  { with: 'no data disk', machine: { class: 'standard-4' }, own: 0 },
  { with: 'a data disk', machine: { class: 'standard-4', dataDisks: [{ name: 'data', sizeGiB: 200 }] }, own: 1 },
];

const isReady = (object: KubeObject | undefined): boolean => conditionOf(object, 'Ready')?.status === 'True';
const pass = (engine: Engine, seconds: number) =>
  engine.runUntil(() => false, { limitSeconds: engine.seconds + seconds });

describe.for(FLAVOURS)('on $flavour', ({ flavour, vm, list }) => {
  test.for(MACHINES)('a machine with $with keeps the volumes that a driver attaches', async ({ machine, own }) => {
    const engine = installedEngine();
    for (const claim of onePool(flavour, { replicas: 1, machine })) engine.apply(claim);
    const machines = (): readonly KubeObject[] =>
      engine.list(vm).filter(({ metadata }) => metadata?.name?.startsWith(`${POOL.name}-`) === true);
    const settled = (): boolean => isReady(engine.get(CLUSTER)) && isReady(engine.get(POOL)) && machines().length === 1;
    expect((await engine.runUntil(settled, { limitSeconds: 3600 })).reached).toBe(true);
    const [first] = machines();
    const ref = { ...vm, namespace: 'team-a', name: first?.metadata?.name ?? '' };
    const disks = () => at(engine.get(ref), 'status', 'atProvider', list) ?? [];
    const synced = () => conditionOf(engine.get(ref), 'Synced');

    for (const volume of ['vol-one', 'vol-two']) {
      engine.setVolume(ref, volume, true);
      await pass(engine, 900);
      expect(disks(), 'the provider detached it').toHaveLength(own + 1);
      expect(synced()).toMatchObject({ status: 'True' });

      engine.setVolume(ref, volume, false);
      await pass(engine, 900);
      expect(disks(), 'the provider attached it again').toHaveLength(own);
      expect(synced(), 'the volume is gone for the provider, too').toMatchObject({ status: 'True' });
    }
    expect(crdsAvailable() ? machines().flatMap(({ status: _s, ...object }) => validateManaged(object)) : []).toEqual(
      [],
    );
    expect(machines().map(({ metadata }) => metadata?.name)).toEqual([ref.name]);
    expect(engine.snapshot().violations).toEqual([]);
  });
});
