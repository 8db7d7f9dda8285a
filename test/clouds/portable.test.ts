/** One claim for every cloud: each overlay of examples/portable adds a selector, and the same comes out. */
import { describe, expect, test } from 'vitest';
import type { Condition } from '#lib/api/conditions.ts';
import type { Engine } from '#simulator/engine.ts';
import { allReady } from '../../cli/simulate/simulation.ts';
import { validateManaged } from '../support/crds.ts';
import { installedEngine } from '../support/example.ts';
import { BASE, FLAVOURS, operationsOf, portableClaims, writtenBefore } from './portable.ts';

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
  expect(BASE.map(({ kind }) => kind).toSorted()).toEqual(['Cluster', 'NodePool', 'NodePool']);
  for (const overlay of FLAVOURS) {
    expect(JSON.stringify(BASE)).not.toContain(overlay);
    expect(operationsOf(overlay)).toEqual([expect.objectContaining({ op: 'add', path: '/spec/crossplane' })]);
    expect(portableClaims(overlay).flatMap((claim) => validateManaged(claim))).toEqual([]);
  }
});

describe('every overlay', () => {
  const shapes = new Map<string, readonly string[]>();

  test.for(FLAVOURS)('%s becomes Ready', async (overlay) => {
    const engine = installedEngine();
    for (const object of [...writtenBefore(overlay), ...portableClaims(overlay)]) engine.apply(object);
    const { reached } = await engine.runUntil(() => allReady(engine), { limitSeconds: 3600 });
    expect(reached).toBe(true);
    shapes.set(overlay, shapeOf(engine));
    expect(await changesWithin(engine, 300)).toEqual([]);
  });

  test('has the same pools, machines and conditions', () => {
    expect(shapes.size).toBe(FLAVOURS.length);
    const [first = [], ...others] = [...shapes.values()];
    expect(first.length).toBeGreaterThan(10);
    for (const shape of others) expect(shape).toEqual(first);
  });
});
