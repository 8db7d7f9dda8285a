/**
 * Objects of Azure that their provider knows by an id and not by a name have it from the start: a provider that restarts
 * before it could write the id down finds its own object again.
 */
import { expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { AZURE } from '#clouds/azure/simulated/azure.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { installedEngine } from '../support/example.ts';
import { externalName } from './example.ts';
import { onePool } from './one-pool.ts';

const KNOWN = AZURE.kinds.filter(({ knownByPath }) => knownByPath === true);
/** Each falls between what the cloud made and what the provider writes of it. */
const RESTARTS = Array.from({ length: 750 }, (_, n) => n / 5);

test('a provider that restarts all the time makes everything once', async () => {
  const engine = installedEngine({ faults: { providerRestarts: RESTARTS } });
  const first = new Map<string, string>();
  engine.subscribe((happening) => {
    const object = happening.type === 'object' ? engine.get(happening.ref) : undefined;
    const name = `${object?.kind ?? ''} ${object?.metadata?.name ?? ''}`;
    if (object !== undefined && KNOWN.some(({ kind }) => kind === object.kind) && !first.has(name))
      first.set(name, externalName(object));
  });
  const machine = { class: 'standard-4', dataDisks: [{ name: 'data', sizeGiB: 20 }] };
  for (const claim of onePool('azure', { replicas: 1, machine })) engine.apply(claim);
  const { reached } = await engine.runUntil(() => allReady(engine), { limitSeconds: 3600 });
  const all = KNOWN.flatMap(({ apiVersion, kind }) => engine.list({ apiVersion, kind }));
  const stuck = all.filter((one) => conditionOf(one, 'Ready')?.status !== 'True');
  expect(stuck.map((one) => `${one.kind}: ${conditionOf(one, 'Synced')?.message ?? ''}`)).toEqual([]);
  expect(reached).toBe(true);
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(KNOWN.map(({ kind }) => kind)));
  for (const one of all) expect(first.get(`${one.kind} ${one.metadata?.name ?? ''}`)).toBe(externalName(one));
  expect(engine.snapshot().violations).toEqual([]);
});
