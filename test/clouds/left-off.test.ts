/**
 * A machine that was stopped for another size, which has no room when it is started again. The provider of Google starts it
 * once there is room; that of Azure never does, so that the update fails with what Azure said, and the machine is replaced.
 */
import { describe, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { NoCapacity } from '#simulator/engine.ts';
import { installedEngine } from '../support/example.ts';
import { CLUSTER, onePool, POOL } from './one-pool.ts';

const ONE_AT_A_TIME: JsonObject = { replicas: 1, update: { maxSurge: 0, maxUnavailable: 1 } };
const isReady = (object: KubeObject | undefined): boolean => conditionOf(object, 'Ready')?.status === 'True';

async function resized(flavour: string, zones: readonly string[], size: string) {
  const noCapacity: NoCapacity[] = [];
  const engine = installedEngine({ faults: { noCapacity } });
  const machines = () =>
    engine
      .list({ apiVersion: POOL.apiVersion, kind: 'Machine' })
      .filter(({ metadata }) => metadata?.name?.startsWith(`${POOL.name}-`) === true);
  const names = () => machines().map(({ metadata }) => metadata?.name);
  const settled = (): boolean => isReady(engine.get(CLUSTER)) && isReady(engine.get(POOL)) && machines().length === 1;
  for (const claim of onePool(flavour, { ...ONE_AT_A_TIME, machine: { class: 'standard-4' } })) engine.apply(claim);
  expect((await engine.runUntil(settled, { limitSeconds: 3600 })).reached).toBe(true);
  const before = names();

  noCapacity.push(...zones.map((zone) => ({ zone, size, until: engine.seconds + 900 })));
  const [, pool] = onePool(flavour, { ...ONE_AT_A_TIME, machine: { class: 'standard-8' } });
  engine.apply(pool!);
  const said = new Set<string>();
  const listen = (): boolean => {
    for (const machine of machines()) said.add(conditionOf(machine, 'Updating')?.message ?? '');
    return settled() && conditionOf(engine.get(POOL), 'MachinesUpToDate')?.status === 'True';
  };
  await engine.runUntil(() => !settled(), { limitSeconds: engine.seconds + 600 });
  const started = engine.seconds;
  const { reached } = await engine.runUntil(listen, { limitSeconds: started + 7200 });
  expect(reached, [...said].join('\n')).toBe(true);
  expect(engine.snapshot().violations).toEqual([]);
  return { said: [...said].join('\n'), isSame: names()[0] === before[0], seconds: engine.seconds - started };
}

describe('a machine whose new size has no room for 15 minutes', () => {
  test('is started by the provider of Google once there is', async () => {
    const zones = ['europe-west1-b', 'europe-west1-c', 'europe-west1-d'];
    const { isSame, seconds } = await resized('gcp', zones, 'n2-standard-8');
    expect(isSame).toBe(true);
    expect(seconds).toBeLessThan(1800);
  });

  test('is replaced on Azure, and its update says what Azure said', async () => {
    const zones = ['westeurope-1', 'westeurope-2', 'westeurope-3'];
    const { said, isSame, seconds } = await resized('azure', zones, 'Standard_D8s_v5');
    expect(isSame).toBe(false);
    expect(said).toMatch(/the machine is left off: update failed: .*ZonalAllocationFailed/);
    expect(seconds).toBeLessThan(3600);
  });
});
