/** Usage as a drain hook: however objects are deleted, the machine exists longer than its node. */
import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { withoutFinalizer } from '../store/object.ts';
import { loadAll } from '../store/loader.ts';
import { ControlPlane } from '../control-plane.ts';
import {
  type Decision,
  FakeFunctions,
  aComposition,
  aConfigMap,
  anXr,
  anXrd,
  conditionText,
  run,
  want,
} from '../fake-functions.fixture.ts';

const NODE = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'team-a', name: 'node' };
const VM = { ...NODE, name: 'vm' };

const usage: KubeObject = {
  apiVersion: 'protection.crossplane.io/v1beta1',
  kind: 'Usage',
  metadata: { name: 'drain' },
  spec: {
    of: { apiVersion: 'v1', kind: 'ConfigMap', resourceRef: { name: 'vm' } },
    by: { apiVersion: 'v1', kind: 'ConfigMap', resourceRef: { name: 'node' } },
    replayDeletion: true,
  },
};

/** Composes a vm, a node with a finalizer of its own and the Usage between them; and nothing after the test says so. */
const machine: Decision = ({ observed }) => {
  if (observed.composite.spec?.['empty'] === true) return {};
  const node = { ...aConfigMap('node'), metadata: { name: 'node', finalizers: ['drain'] } };
  return { resources: { vm: want(aConfigMap('vm')), node: want(node), usage: want(usage) } };
};

/** Composes the machine until the test says otherwise; once it is `settled`, a lost machine is not created again. */
const pool: Decision = ({ observed }) => {
  const { empty, settled } = observed.composite.spec ?? {};
  if (empty === true || (settled === true && observed.resources.size === 0)) return {};
  return { resources: { m: want(anXr('Machine', 'm')) } };
};

const POOL = { apiVersion: 'example.org/v1', kind: 'Pool', namespace: 'team-a', name: 'p' };
const MACHINE = { ...POOL, kind: 'Machine', name: 'm' };
const USAGE = { apiVersion: usage.apiVersion, kind: usage.kind, namespace: 'team-a', name: 'drain' };

async function aReadyMachine(): Promise<ControlPlane> {
  const functions = new FakeFunctions({ pool, machine });
  const plane = new ControlPlane({ start: new Date('2026-01-01T00:00:00Z'), seed: 1, functions: functions.caller });
  loadAll(plane.store, [
    anXrd('Pool'),
    anXrd('Machine'),
    aComposition('Pool', 'pool'),
    aComposition('Machine', 'machine'),
  ]);
  plane.store.apply(anXr('Pool', 'p'), { manager: 'kubectl' });
  await run(plane, 30);
  return plane;
}

test('marks an object as in use and refuses its deletion', async () => {
  const { store } = await aReadyMachine();
  expect(store.get(VM).metadata?.labels?.['crossplane.io/in-use']).toBe('true');
  expect(conditionText(store.get(USAGE), 'Ready')).toBe('True Available');
  expect(() => store.delete(VM)).toThrow(/This resource is in-use by 1 usage\(s\).* by resource ConfigMap\/node/);
  expect(store.get(VM).metadata?.deletionTimestamp).toBeUndefined();
});

interface Way {
  readonly way: string;
  readonly act: (plane: ControlPlane) => void;
}

const WAYS: readonly Way[] = [
  { way: 'the machine is deleted', act: ({ store }) => store.delete(MACHINE) },
  { way: 'the pool is deleted', act: ({ store }) => store.delete(POOL) },
  {
    way: 'the pool is deleted in the foreground',
    act: ({ store }) => store.delete(POOL, { propagation: 'Foreground' }),
  },
  {
    way: 'the pool drops the machine',
    act: ({ store }) => void store.apply(anXr('Pool', 'p', { empty: true }), { manager: 'kubectl' }),
  },
];

test.for(WAYS)('when $way the vm is kept until the node is drained, then everything is deleted', async ({ act }) => {
  const plane = await aReadyMachine();
  plane.store.apply(anXr('Pool', 'p', { settled: true }), { manager: 'kubectl' });
  act(plane);
  await run(plane, 60);
  const node = plane.store.get(NODE);
  expect(node.metadata?.deletionTimestamp).toBeDefined();
  const vm = plane.store.get(VM);
  expect(vm.metadata?.deletionTimestamp).toBeUndefined();

  plane.store.update(withoutFinalizer(node, 'drain'), 'drainer');
  await run(plane, 120);
  expect(plane.store.withUid(node.metadata?.uid ?? '')).toBeUndefined();
  expect(plane.store.withUid(vm.metadata?.uid ?? '')).toBeUndefined();
});

// Crossplane removes its label from objects that it garbage-collects, and a Usage without it no longer waits for its
// user.
test('does not protect a vm that its own XR removes together with the node', async () => {
  const plane = await aReadyMachine();
  plane.store.apply(anXr('Machine', 'm', { empty: true }), { manager: 'kubectl' });
  await run(plane, 60);
  expect(plane.store.find(NODE)).toBeDefined();
  expect(plane.store.find(VM)).toBeUndefined();
});

test('a Usage without a user refuses with its reason', async () => {
  const { store, ...plane } = await aReadyMachine();
  const alone = { apiVersion: usage.apiVersion, kind: usage.kind, metadata: { name: 'alone', namespace: 'team-a' } };
  const of = { apiVersion: 'v1', kind: 'ConfigMap', resourceRef: { name: 'other' } };
  store.apply({ ...aConfigMap('other'), metadata: { name: 'other', namespace: 'team-a' } }, { manager: 'kubectl' });
  store.apply({ ...alone, spec: { of, reason: 'it is "mine"' } }, { manager: 'kubectl' });
  await run(plane, 5);
  expect(() => store.delete({ ...VM, name: 'other' })).toThrow(
    'in-use by 1 usage(s), including the *v1beta1.Usage "alone" (in namespace "team-a") with reason: "it is \\"mine\\"".',
  );
});
