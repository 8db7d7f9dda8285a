/** A part of the deletion matrix; `npm run deletion` runs all of it, with many seeds. */
import { expect, test } from 'vitest';
import { at } from '#lib/api/json.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { CASES, DOWN, FEW, MOMENTS, nameOf, OBJECTS } from './matrix.ts';
import { runCase } from './run.ts';
import { aPool, aStage, CLUSTER, NAMESPACE, POOL } from './stage.ts';

test.for(FEW.map((one) => [nameOf(one), one] as const))(
  '%s: no object remains, and drains keep the objects they need',
  async ([, one]) => {
    expect((await runCase(one, 7)).broken).toEqual([]);
  },
);

test('a node without a drain timeout keeps its Cluster until its own timeout is changed', async () => {
  const { engine, silence } = aStage(7, 1);
  engine.apply(aPool({ update: { drain: { timeout: '0s' } } }));
  await engine.runUntil(() => allReady(engine), { limitSeconds: 3600 });
  const pass = (seconds: number) => engine.runUntil(() => false, { limitSeconds: engine.seconds + seconds });
  const going = () =>
    engine
      .list({ apiVersion: NODE_API_VERSION, kind: 'WorkloadNode', namespace: NAMESPACE })
      .filter(({ metadata }) => metadata?.deletionTimestamp !== undefined);
  silence(4 * 3600);
  engine.delete({ apiVersion: 'v1', kind: 'Secret', namespace: NAMESPACE, name: 'prod-kubeconfig' });
  engine.delete(POOL);
  await pass(3600);
  expect(going().map(({ status }) => JSON.stringify(at(status, 'conditions')))).toEqual(
    Array.from({ length: 2 }, () => expect.stringContaining('waits without limit because spec.drain.timeout is 0s')),
  );
  expect(() => engine.delete(CLUSTER)).toThrow('by resource ProviderConfigUsage/prod-general-nodes-');
  for (const { apiVersion, kind, metadata, spec } of going()) {
    const { name = '' } = metadata ?? {};
    const limited = { ...spec, drain: { timeout: '1m' } };
    engine.apply({ apiVersion, kind, metadata: { name, namespace: NAMESPACE }, spec: limited });
  }
  await pass(300);
  expect(going()).toEqual([]);
  engine.delete(CLUSTER);
});

test('the matrix has every object, moment and outage', () => {
  const seen = (of: keyof (typeof CASES)[number]) => new Set(CASES.map((one) => one[of]));
  expect(seen('object')).toEqual(new Set(OBJECTS));
  expect(seen('moment')).toEqual(new Set(MOMENTS));
  expect(seen('down')).toEqual(new Set(DOWN));
  expect(CASES).toHaveLength(7 * 3 * 3 * 4 + 3 * 4);
});
