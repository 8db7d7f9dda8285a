/** Pairs of state and edit, drawn by fast-check. */
import fc from 'fast-check';
import { isJsonObject, type JsonObject } from '#lib/api/json.ts';
import type { Case, Edit } from './case.ts';

export function aCase(): fc.Arbitrary<Case> {
  return fc.oneof({ weight: 3, arbitrary: aWorkerCase() }, { weight: 2, arbitrary: aControlPlaneCase() });
}

function aWorkerCase(): fc.Arbitrary<Case> {
  return fc
    .record({ spec: aPool(), edit: anEdit(workerFields()), ...common(workerFields()) })
    .map(({ begun, ...rest }) => ({ role: 'worker', ...rest, ...(begun === undefined ? {} : { before: begun }) }));
}

function aControlPlaneCase(): fc.Arbitrary<Case> {
  return fc
    .record({ spec: aCluster(), edit: anEdit(clusterFields()), ...common(clusterFields()) })
    .map(({ begun, ...rest }) => ({
      role: 'control-plane',
      ...rest,
      ...(begun === undefined ? {} : { before: begun }),
    }));
}

interface Common {
  readonly begun: fc.Arbitrary<Case['before']>;
  readonly seed: fc.Arbitrary<number>;
}

function common(fields: readonly fc.Arbitrary<Edit>[]): Common {
  return {
    begun: fc.option(fc.record({ edit: anEdit(fields), steps: fc.integer({ min: 1, max: 12 }) }), {
      nil: undefined,
      freq: 2,
    }),
    seed: fc.nat({ max: 999 }),
  };
}

function aPool(): fc.Arbitrary<JsonObject> {
  return fc.record({
    replicas: fc.integer({ min: 1, max: 5 }),
    machine: fc.constant({ class: 'standard-4', image: 'ubuntu-24.04', rootDisk: { sizeGiB: 50 } }),
    update: fc
      .record({
        ...aBudget(),
        strategy: usually('RollingUpdate', 'OnDelete'),
        fallback: usually('Recreate', 'Hold'),
        minReadySeconds: usually(0, 30),
      })
      .map(({ budget, ...rest }) => ({ ...budget, ...rest })),
  });
}

function aBudget(): { readonly budget: fc.Arbitrary<JsonObject> } {
  return {
    budget: fc.constantFrom(
      { maxSurge: 1, maxUnavailable: 0 },
      { maxSurge: 0, maxUnavailable: 1 },
      { maxSurge: 1, maxUnavailable: 1 },
      { maxSurge: 2, maxUnavailable: 2 },
      { maxSurge: '50%', maxUnavailable: '50%' },
    ),
  };
}

function aCluster(): fc.Arbitrary<JsonObject> {
  return fc
    .record({
      replicas: fc.constantFrom(1, 3, 3, 5),
      fallback: usually('Recreate', 'Hold'),
      minReadySeconds: usually(0, 30),
    })
    .map(({ replicas, ...update }) => ({
      controlPlane: { replicas, machine: { class: 'standard-2', image: 'ubuntu-24.04', rootDisk: { sizeGiB: 50 } } },
      update,
    }));
}

function usually<A, B>(often: A, seldom: B): fc.Arbitrary<A | B> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(often) }, { weight: 1, arbitrary: fc.constant(seldom) });
}

/** One or two fields at once. */
function anEdit(fields: readonly fc.Arbitrary<Edit>[]): fc.Arbitrary<Edit> {
  return fc.array(fc.oneof(...fields), { minLength: 1, maxLength: 2 }).map((edits) =>
    edits.reduce<Edit>(
      (all, edit) => ({
        ...((all.pool ?? edit.pool) === undefined ? {} : { pool: joined(all.pool, edit.pool) }),
        ...((all.cluster ?? edit.cluster) === undefined ? {} : { cluster: joined(all.cluster, edit.cluster) }),
      }),
      {},
    ),
  );
}

function joined(a: JsonObject = {}, b: JsonObject = {}): JsonObject {
  const both = Object.keys(a).filter((key) => isJsonObject(a[key]) && isJsonObject(b[key]));
  return {
    ...a,
    ...b,
    ...Object.fromEntries(both.map((key) => [key, joined(a[key] as JsonObject, b[key] as JsonObject)])),
  };
}

const machineFields: readonly fc.Arbitrary<JsonObject>[] = [
  fc.record({ class: fc.constantFrom('standard-8', 'standard-16'), instanceType: fc.constant(null) }),
  fc.record({ image: fc.constantFrom('ubuntu-26.04', 'ubuntu-26.10') }),
  fc.record({ instanceType: fc.constantFrom('m6i.2xlarge', 'r6i.large') }).map((one) => ({ ...one, class: null })),
  fc.record({ rootDisk: fc.constantFrom({ sizeGiB: 80 }, { sizeGiB: 30 }, { sizeGiB: 50, type: 'gp3' }) }),
  fc.record({ zones: fc.constantFrom(['eu-west-1a'], ['eu-west-1a', 'eu-west-1b'], ['eu-west-1c']) }),
];

const markFields: readonly fc.Arbitrary<JsonObject>[] = [
  fc.record({ labels: fc.constantFrom({ team: 'a' }, { team: 'b' }, {}) }),
  fc.record({
    taints: fc.constantFrom(
      [{ key: 'maintenance', effect: 'NoExecute' }],
      [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }],
      [],
    ),
  }),
];

const provisioning = fc.record({
  provisioning: fc.record({ sysctls: fc.constantFrom({ 'vm.swappiness': '10' }, { 'vm.max_map_count': '262144' }) }),
});

/** Long gone, and a while after the pool came to be. */
const restart = fc.record({
  rolloutAfter: fc.constantFrom('2025-06-01T00:00:00Z', '2026-01-01T00:00:01Z', '2026-01-01T03:00:00Z'),
});

function workerFields(): readonly fc.Arbitrary<Edit>[] {
  const own: readonly fc.Arbitrary<JsonObject>[] = [
    fc.record({ replicas: fc.integer({ min: 0, max: 6 }) }),
    fc.record({ replicas: fc.integer({ min: 1, max: 4 }) }),
    ...machineFields.map((field) => field.map((machine) => ({ machine }))),
    ...markFields,
    provisioning,
    fc.record({ version: fc.constantFrom('v1.35.3', 'v1.35.4', 'v1.34.4', 'v1.36.0') }),
    fc.record({ paused: fc.boolean() }),
    fc.record({
      update: fc.oneof(
        fc.record({ strategy: fc.constantFrom('RollingUpdate', 'OnDelete') }),
        fc.record({ fallback: fc.constantFrom('Recreate', 'Hold') }),
        fc.record({ minReadySeconds: fc.constantFrom(0, 30) }),
        aBudget().budget,
        restart,
      ),
    }),
    fc.record({ deletion: fc.record({ order: fc.constantFrom('Newest', 'Oldest', 'Random') }) }),
  ];
  return [...own.map((field) => field.map((pool) => ({ pool }))), aVersion().map((cluster) => ({ cluster }))];
}

function aVersion(): fc.Arbitrary<JsonObject> {
  return fc.record({
    version: fc.constantFrom('v1.35.5', 'v1.35.5', 'v1.36.0', 'v1.36.0', 'v1.37.0', 'v1.34.4', 'v1.25.4', 'v1.35.3'),
  });
}

function clusterFields(): readonly fc.Arbitrary<Edit>[] {
  const inControlPlane: readonly fc.Arbitrary<JsonObject>[] = [
    fc.record({ replicas: fc.constantFrom(1, 3, 5) }),
    fc.record({ replicas: fc.constantFrom(1, 3, 5) }),
    ...machineFields.map((field) => field.map((machine) => ({ machine }))),
    ...markFields,
  ];
  const own: readonly fc.Arbitrary<JsonObject>[] = [
    ...inControlPlane.map((field) => field.map((controlPlane) => ({ controlPlane }))),
    aVersion(),
    aVersion(),
    provisioning,
    fc.record({ paused: fc.boolean() }),
    fc.record({
      update: fc.oneof(
        fc.record({ fallback: fc.constantFrom('Recreate', 'Hold') }),
        fc.record({ minReadySeconds: fc.constantFrom(0, 30) }),
        restart,
      ),
    }),
  ];
  return own.map((field) => field.map((cluster) => ({ cluster })));
}
