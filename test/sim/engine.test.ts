/** The same with whole clusters, on a simulated cloud with throttling, failures, delays and lost updates. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { type Engine } from '#simulator/engine.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { exampleEngine } from '../support/example.ts';

describe('a cluster on a cloud with faults', () => {
  test.for([
    { flavour: 'aws', edit: 'image', pool: 'prod-general', seed: 1 },
    { flavour: 'aws', edit: 'instance-type', pool: 'prod-memory', seed: 2 },
    { flavour: 'azure', edit: 'instance-type', pool: 'prod-memory', seed: 3 },
    { flavour: 'existing', edit: 'image', pool: 'prod-general', seed: 4 },
    { flavour: 'gcp', edit: 'image', pool: 'prod-general', seed: 5 },
  ])('rolls an edit out on $flavour and loses nothing: $edit, seed $seed', async ({ flavour, edit, pool, seed }) => {
    const faults = {
      rateLimits: 0.1,
      failedCreates: 0.2,
      slowObjects: 0.15,
      // Not in the second between the creation of a cloud object and the write of its id: then it is created twice.
      providerRestarts: [407, 1307],
    };
    const engine = exampleEngine({ seed, faults }, flavour);
    await settle(engine, () => true);
    const ready = watchReady(engine, pool);
    for (const claim of readObjects([join(ROOT, 'examples', flavour, `edits/${edit}.yaml`)])) engine.apply(claim);
    await settle(engine, () => machinesOf(engine, pool).length === ready.before);
    ready.stop();
    expect(engine.snapshot().violations).toEqual([]);
    // prod-general has maxUnavailable 0; prod-memory has 1.
    expect(ready.fewest()).toBeGreaterThanOrEqual(ready.before - (pool === 'prod-memory' ? 1 : 0));
  });
});

/** Ready for some time, with the edit observed by all objects. */
async function settle(engine: Engine, holds: () => boolean): Promise<void> {
  let since = engine.seconds;
  const { reached } = await engine.runUntil(
    () => {
      if (!allReady(engine) || !holds()) since = engine.seconds;
      return engine.seconds - since > 120;
    },
    { limitSeconds: engine.seconds + 14_400 },
  );
  expect(reached, 'it is settled within four hours').toBe(true);
}

function machinesOf(engine: Engine, pool: string) {
  return engine
    .list({ apiVersion: API_VERSION, kind: 'Machine' })
    .filter(({ metadata }) => metadata?.labels?.['slipway.dev/nodepool'] === pool);
}

/** The lowest number of Ready machines at any moment. */
function watchReady(engine: Engine, pool: string) {
  const count = (): number =>
    machinesOf(engine, pool).filter(
      (one) => conditionOf(one, 'Ready')?.status === 'True' && one.metadata?.deletionTimestamp === undefined,
    ).length;
  const before = count();
  let fewest = before;
  const stop = engine.subscribe(() => (fewest = Math.min(fewest, count())));
  return { before, fewest: () => fewest, stop };
}
