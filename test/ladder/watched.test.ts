/**
 * Whom a write to a Cluster calls: its parts require its ClusterFacts, which Crossplane 2.4 watches, and not the Cluster,
 * which is written all the time while it works.
 */
import { beforeAll, expect, it } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import type { Engine } from '#simulator/engine.ts';
import { exampleEngine } from '../support/example.ts';

const SLIPWAY = 'slipway.dev/v1alpha1';
const FACTS = { apiVersion: 'node.slipway.dev/v1alpha1', kind: 'ClusterFacts' } as const;
const INSTANCE = { apiVersion: 'ec2.aws.m.upbound.io/v1beta1', kind: 'Instance' } as const;
/** Settled machines are called each ten minutes: at most once in this time. */
const SECONDS = 240;

let engine: Engine;
let clusterWrites = 0;
const calls = new Map<string, number>();

const named = (kind: string): readonly string[] =>
  engine.list({ apiVersion: SLIPWAY, kind }).map(({ metadata }) => metadata?.name ?? '');
const workers = (): readonly string[] => named('Machine').filter((name) => !name.includes('control-plane'));
const facts = (): KubeObject => engine.list(FACTS)[0]!;

async function pass(seconds: number): Promise<void> {
  clusterWrites = 0;
  calls.clear();
  await engine.runUntil(() => false, { limitSeconds: engine.seconds + seconds });
}

beforeAll(async () => {
  engine = exampleEngine();
  engine.subscribe((happening) => {
    if (happening.type === 'object' && happening.ref.kind === 'Cluster') clusterWrites += 1;
    if (happening.type === 'call' && happening.step === 'bootstrap' && happening.xr.kind === 'Machine')
      calls.set(happening.xr.name, (calls.get(happening.xr.name) ?? 0) + 1);
  });
  await engine.runUntil(() => engine.snapshot().ready, { limitSeconds: 3600 });
  await pass(900);
});

it('calls no machine of a worker for what a Cluster writes to its own status', async () => {
  const before = facts();
  const instance = engine.list(INSTANCE).find(({ metadata }) => metadata?.name?.includes('control-plane'));
  const { name = '', namespace = '' } = instance?.metadata ?? {};
  engine.terminate({ ...INSTANCE, namespace, name });
  await pass(SECONDS);
  expect(clusterWrites, 'its control plane is repaired').toBeGreaterThan(10);
  expect(facts()).toBe(before);
  expect(workers().length).toBeGreaterThan(2);
  for (const worker of workers()) expect(calls.get(worker) ?? 0, worker).toBeLessThanOrEqual(1);
});

it('calls every machine at once for an edit of what it takes from its Cluster', async () => {
  await engine.runUntil(() => engine.snapshot().ready, { limitSeconds: engine.seconds + 3600 });
  await pass(900);
  const [cluster] = engine.list({ apiVersion: SLIPWAY, kind: 'Cluster' });
  const { name = '', namespace = '' } = cluster?.metadata ?? {};
  const { crossplane: _crossplane, ...spec } = cluster!.spec!;
  engine.apply({
    apiVersion: SLIPWAY,
    kind: 'Cluster',
    metadata: { name, namespace },
    spec: { ...spec, paused: true },
  });
  await pass(5);
  for (const machine of named('Machine')) expect(calls.get(machine) ?? 0, machine).toBeGreaterThan(0);
});
