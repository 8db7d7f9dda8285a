/** One claim for every cloud: each overlay of examples/portable adds a selector, and the same comes out. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Condition } from '#lib/api/conditions.ts';
import { at, isJsonObject, type Json, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Engine } from '#simulator/engine.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { validateManaged } from '../support/crds.ts';
import { installedEngine } from '../support/example.ts';

const FOLDER = join(ROOT, 'examples/portable');
const overlays = readdirSync(join(FOLDER, 'overlays')).toSorted();
/** What the owners of hosts have written before anybody claims them. */
const BEFORE: Readonly<Record<string, readonly KubeObject[]>> = {
  existing: readObjects([join(ROOT, 'examples/existing/hosts.yaml')]),
};
const base = readObjects(['cluster.yaml', 'node-pools.yaml'].map((name) => join(FOLDER, 'base', name)));

/** The patch of an overlay, which kustomize applies to every claim. */
function patchOf(overlay: string): JsonObject {
  const file = join(FOLDER, 'overlays', overlay, 'kustomization.yaml');
  const [patch] = at(parse(readFileSync(file, 'utf8')) as Json, 'patches') as readonly Json[];
  const operations = JSON.parse(stringAt(patch, 'patch') ?? '[]') as readonly JsonObject[];
  expect(operations).toHaveLength(1);
  expect(operations[0]).toMatchObject({ op: 'add', path: '/spec/crossplane' });
  const value = operations[0]?.['value'];
  return isJsonObject(value) ? value : {};
}

const claimsOf = (overlay: string): readonly KubeObject[] =>
  base.map((claim) => ({ ...claim, spec: { ...claim.spec, crossplane: patchOf(overlay) } }));

/** Kinds of Slipway with their names but for what is drawn, and their conditions. */
function shapeOf(engine: Engine): readonly string[] {
  const kinds = ['Cluster', 'NodePool', 'Machine'];
  const objects = kinds.flatMap((kind) => engine.list({ apiVersion: 'slipway.dev/v1alpha1', kind }));
  return objects
    .map(({ kind, metadata, status }) => {
      const conditions = status?.['conditions'] as unknown as readonly Condition[];
      const shown = conditions.map(({ type, status: value }) => `${type}=${value}`).toSorted();
      return `${kind} ${(metadata?.name ?? '').replace(/-[a-z0-9]{5}$/, '')}: ${shown.join(' ')}`;
    })
    .toSorted();
}

/**
 * Objects of the cloud that change although everything is Ready: a function and a provider that write the same field do
 * so for ever.
 */
async function changesWithin(engine: Engine, seconds: number): Promise<readonly string[]> {
  // What a machine did last is still being noticed.
  const start = engine.seconds + 120;
  await engine.runUntil(() => engine.seconds > start, { limitSeconds: start + 600 });
  const changed = new Set<string>();
  engine.subscribe((happening) => {
    if (happening.type === 'object' && happening.ref.apiVersion.includes('.m.upbound.io/'))
      changed.add(`${happening.ref.kind} ${happening.ref.name}`);
  });
  const end = engine.seconds + seconds;
  await engine.runUntil(() => engine.seconds > end, { limitSeconds: end + 600 });
  return [...changed];
}

test('the claim itself names no cloud, and the API server accepts it with each overlay', () => {
  expect(base.map(({ kind }) => kind).toSorted()).toEqual(['Cluster', 'NodePool', 'NodePool']);
  for (const overlay of overlays) {
    expect(JSON.stringify(base)).not.toContain(overlay);
    expect(claimsOf(overlay).flatMap((claim) => validateManaged(claim))).toEqual([]);
  }
});

describe('every overlay', () => {
  const shapes = new Map<string, readonly string[]>();

  test.for(overlays)('%s becomes Ready', async (overlay) => {
    const engine = installedEngine();
    for (const object of [...(BEFORE[overlay] ?? []), ...claimsOf(overlay)]) engine.apply(object);
    const { reached } = await engine.runUntil(() => allReady(engine), { limitSeconds: 3600 });
    expect(reached).toBe(true);
    shapes.set(overlay, shapeOf(engine));
    expect(await changesWithin(engine, 300)).toEqual([]);
  });

  test('has the same pools, machines and conditions', () => {
    expect(shapes.size).toBe(overlays.length);
    const [first = [], ...others] = [...shapes.values()];
    expect(first.length).toBeGreaterThan(10);
    for (const shape of others) expect(shape).toEqual(first);
  });
});
