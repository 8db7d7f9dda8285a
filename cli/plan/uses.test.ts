/** An object that is edited alone is planned with the claims that read it. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { describe, expect, test } from 'vitest';
import type { Json, KubeObject } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { NodePool } from '#lib/api/kinds/node-pool.ts';
import { layersOf } from '#lib/api/schema/path.ts';
import { ROOT } from '../files/repository.ts';
import { isRead, usesAny } from './uses.ts';

/** A field of the configuration of a bootstrapper, in its schema. */
const NAMES_SECRET = /"(\w+)": \{\s*"description": "Name of the Secret/g;

const object = (kind: string, name: string, namespace = 'team-a'): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace },
});
const pool: KubeObject = {
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'NodePool',
  metadata: { name: 'general', namespace: 'team-a' },
  spec: {
    infrastructure: { overrides: [{ kind: 'Instance', patchFrom: { configMap: { name: 'patches', key: 'patch' } } }] },
    provisioning: { files: [{ path: '/etc/app.conf', contentFrom: { secret: { name: 'app', key: 'conf' } } }] },
  },
};

describe('a claim', () => {
  test.for([object('ConfigMap', 'patches'), object('Secret', 'app')])('reads $kind $metadata.name', (one) => {
    expect(isRead(one)).toBe(true);
    expect(usesAny(pool, [object('ConfigMap', 'other'), one])).toBe(true);
  });

  test.for([
    object('ConfigMap', 'app'),
    object('Secret', 'patches'),
    object('ConfigMap', 'patches', 'team-b'),
    object('Service', 'patches'),
  ])('does not read $kind $metadata.namespace/$metadata.name', (one) => {
    expect(usesAny(pool, [one])).toBe(false);
  });

  const ofConfigs = globSync('docs/bootstrap-config/*.json', { cwd: ROOT }).flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(NAMES_SECRET)].map(([, field = '']) => field),
  );

  test('finds fields of bootstrappers that name a Secret', () => {
    expect(ofConfigs).toContain('caSecret');
  });

  test.for(ofConfigs)('reads the Secret that %s of a bootstrapper names', (field) => {
    const cluster = {
      ...pool,
      kind: 'Cluster',
      spec: { bootstrap: { config: { etcd: { external: { [field]: 'corp' } } } } },
    };
    expect(usesAny(cluster, [object('Secret', 'corp')])).toBe(true);
    expect(usesAny(cluster, [object('ConfigMap', 'corp'), object('Secret', 'other')])).toBe(false);
  });
});

interface Reader {
  readonly path: string;
  /** Of the object that it names. */
  readonly kind: string;
  /** The claim's value there, and all around it. */
  readonly wrote: Json;
}

/** Every object whose name is that of an object of Kubernetes, by its description. */
function readersOf(schema: z.ZodType, path: string): readonly Reader[] {
  return layersOf(schema).flatMap((one): readonly Reader[] => {
    if (one instanceof z.ZodArray)
      return readersOf(one.element as z.ZodType, `${path}[]`).map((found) => ({ ...found, wrote: [found.wrote] }));
    if (!(one instanceof z.ZodObject)) return [];
    const fields = Object.entries(one.shape) as [string, z.ZodType][];
    const name = fields.find(([field]) => field === 'name')?.[1].description;
    const kind = /^Name of (?:a|the) (Secret|ConfigMap)\b/.exec(name ?? '')?.[1];
    const own = kind === undefined ? [] : [{ path, kind, wrote: { name: 'corp' } }];
    const below = fields.flatMap(([field, member]) =>
      readersOf(member, `${path}.${field}`).map((found) => ({ ...found, wrote: { [field]: found.wrote } })),
    );
    return [...own, ...below];
  });
}

describe.for([
  { kind: 'Cluster', schema: Cluster.shape.spec },
  { kind: 'NodePool', schema: NodePool.shape.spec },
])('every field of a $kind that names a Secret or a ConfigMap', ({ kind, schema }) => {
  const readers = readersOf(schema, 'spec');

  test('is found', () => {
    expect(readers.length).toBeGreaterThan(9);
    expect(new Set(readers.map((one) => one.kind))).toEqual(new Set(['Secret', 'ConfigMap']));
  });

  test.for(readers)('is read: $kind of $path', ({ kind: named, wrote }) => {
    const claim = { ...pool, kind, spec: wrote } as KubeObject;
    expect(usesAny(claim, [object(named, 'corp')])).toBe(true);
    expect(usesAny(claim, [object(named === 'Secret' ? 'ConfigMap' : 'Secret', 'corp')])).toBe(false);
  });
});
