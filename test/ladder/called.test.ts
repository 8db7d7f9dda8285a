/** How often Crossplane calls a pool that has nothing to do, and how soon after an edit of its Cluster. */
import { beforeAll, expect, it } from 'vitest';
import { stringAt } from '#lib/api/json.ts';
import type { Engine } from '#simulator/engine.ts';
import { exampleEngine } from '../support/example.ts';

const SLIPWAY = 'slipway.dev/v1alpha1';
const HOUR = 3600;
const POOLS = ['prod-control-plane', 'prod-general', 'prod-memory'] as const;

let engine: Engine;

/** Seconds at which the pipeline of each pool ran. */
const runs = new Map<string, number[]>(POOLS.map((name) => [name, []]));

const since = (pool: (typeof POOLS)[number], second: number): readonly number[] =>
  (runs.get(pool) ?? []).filter((at) => at >= second);

beforeAll(async () => {
  engine = exampleEngine();
  engine.subscribe((happening) => {
    if (happening.type === 'call' && happening.step === 'nodepool' && happening.round === 1)
      runs.get(happening.xr.name)?.push(happening.at);
  });
  await engine.runUntil(() => engine.snapshot().ready, { limitSeconds: HOUR });
  await engine.runUntil(() => false, { limitSeconds: engine.seconds + 900 });
});

it('calls a settled pool that its Cluster composes each ten minutes, and a claimed one each minute', async () => {
  const begin = engine.seconds;
  expect(engine.snapshot().ready).toBe(true);
  await engine.runUntil(() => false, { limitSeconds: begin + HOUR });
  const counted = POOLS.map((pool) => since(pool, begin).length);
  const counts = POOLS.map((pool, at) => `${pool} ${counted[at]}`);
  process.stdout.write(`calls of settled pools in an hour: ${counts.join(', ')}\n`);
  expect(counted[0]).toBeLessThanOrEqual(7);
  for (const count of counted.slice(1)) expect(count).toBeGreaterThanOrEqual(54);
});

it('an edit of the Cluster reaches its control plane at once, and claimed pools within a minute', async () => {
  const [cluster] = engine.list({ apiVersion: SLIPWAY, kind: 'Cluster' });
  const { name = '', namespace } = cluster?.metadata ?? {};
  const { resourceVersion: _version, managedFields: _fields, ...metadata } = cluster!.metadata!;
  const edited = engine.seconds;
  const spec = { ...cluster!.spec, provisioning: { ...(cluster!.spec!['provisioning'] as object), packages: ['jq'] } };
  engine.apply({ ...cluster!, metadata: { ...metadata, name, namespace }, spec } as never);
  await engine.runUntil(() => false, { limitSeconds: edited + 70 });
  expect(stringAt(engine.list({ apiVersion: SLIPWAY, kind: 'Cluster' })[0], 'metadata', 'name')).toBe(name);
  const soonest = POOLS.map((pool) => (since(pool, edited)[0] ?? Infinity) - edited);
  expect(soonest[0]).toBeLessThanOrEqual(3);
  for (const after of soonest.slice(1)) expect(after).toBeLessThanOrEqual(67);
});
