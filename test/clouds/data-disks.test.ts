/** Data disks on each cloud: what is composed, that its provider accepts it, and that they come and go with the machine. */
import { describe, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Engine } from '#simulator/engine.ts';
import { crdsAvailable, validateManaged } from '../support/crds.ts';
import { installedEngine } from '../support/example.ts';
import { CLUSTER, onePool, POOL } from './one-pool.ts';

const DISKS = [
  { name: 'data', sizeGiB: 200 },
  { name: 'logs', sizeGiB: 20 },
];

const AZURE = 'compute.azure.m.upbound.io/v1beta1';
const GCP = 'compute.gcp.m.upbound.io/v1beta1';
const FLAVOURS = [
  {
    flavour: 'aws',
    vm: { apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Instance' },
    inMachine: {
      initProvider: {
        ebsBlockDevice: [
          { deviceName: '/dev/sdf', volumeSize: 200, volumeType: 'gp3', encrypted: true, deleteOnTermination: true },
          { deviceName: '/dev/sdg', volumeSize: 20, volumeType: 'gp3', encrypted: true, deleteOnTermination: true },
        ],
      },
    },
    objects: [],
  },
  {
    flavour: 'azure',
    vm: { apiVersion: AZURE, kind: 'LinuxVirtualMachine' },
    inMachine: {},
    objects: [
      { apiVersion: AZURE, kind: 'ManagedDisk', field: 'diskSizeGb', values: [200, 20] },
      { apiVersion: AZURE, kind: 'VirtualMachineDataDiskAttachment', field: 'lun', values: [0, 1] },
    ],
  },
  {
    flavour: 'gcp',
    vm: { apiVersion: GCP, kind: 'Instance' },
    inMachine: { initProvider: { attachedDisk: [{ deviceName: 'data' }, { deviceName: 'logs' }] } },
    objects: [{ apiVersion: GCP, kind: 'Disk', field: 'size', values: [200, 20] }],
  },
];

const isReady = (object: KubeObject | undefined): boolean => conditionOf(object, 'Ready')?.status === 'True';
const ofPool = (engine: Engine, kind: { readonly apiVersion: string; readonly kind: string }): readonly KubeObject[] =>
  engine.list(kind).filter(({ metadata }) => metadata?.name?.startsWith(`${POOL.name}-`) === true);

describe.for(FLAVOURS)('on $flavour', ({ flavour, vm, inMachine, objects }) => {
  test('they are made with each machine, and deleted with it', async () => {
    const engine = installedEngine();
    const settled = (replicas: number) => (): boolean =>
      isReady(engine.get(CLUSTER)) && isReady(engine.get(POOL)) && ofPool(engine, vm).length === replicas;
    for (const claim of onePool(flavour, { replicas: 2, machine: { class: 'standard-4', dataDisks: DISKS } }))
      engine.apply(claim);
    expect((await engine.runUntil(settled(2), { limitSeconds: 3600 })).reached).toBe(true);
    const machines = ofPool(engine, vm);
    for (const { spec } of machines) expect(spec).toMatchObject(inMachine);
    for (const { field, values, ...kind } of objects) {
      const found = ofPool(engine, kind).map(({ spec }) => at(spec, 'forProvider', field));
      expect(
        found.toSorted((a, b) => Number(a) - Number(b)),
        kind.kind,
      ).toEqual([...values, ...values].toSorted((a, b) => a - b));
    }
    const rendered = [...machines, ...objects.flatMap((kind) => ofPool(engine, kind))];
    const judged = rendered.map(({ status: _status, ...object }) => object);
    expect(crdsAvailable() ? judged.flatMap((object) => validateManaged(object)) : []).toEqual([]);

    const [gone] = engine
      .list({ apiVersion: 'slipway.dev/v1alpha1', kind: 'Machine' })
      .flatMap(({ spec, metadata }) =>
        stringAt(spec, 'nodePoolRef', 'name') === POOL.name ? [metadata?.name ?? ''] : [],
      );
    engine.delete({ ...CLUSTER, kind: 'Machine', name: gone ?? '' });
    const left = (): readonly string[] =>
      objects.flatMap((kind) => ofPool(engine, kind).map(({ metadata }) => metadata?.name ?? ''));
    const isReplaced = (): boolean =>
      settled(2)() &&
      !ofPool(engine, vm).some(({ metadata }) => metadata?.name === gone) &&
      !left().some((name) => name.startsWith(`${gone}-`));
    expect((await engine.runUntil(isReplaced, { limitSeconds: engine.seconds + 7200 })).reached).toBe(true);
    expect(left()).toHaveLength(2 * DISKS.length * objects.length);
    // A disk that leaves a machine whose node still drains is one.
    expect(engine.snapshot().violations).toEqual([]);
  });
});
