import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type KubeObject, isJsonObject, sameJson, stringAt } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { COMPOSITES } from '#lib/api/kinds/definitions.ts';
import { NodePool } from '#lib/api/kinds/node-pool.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { validateRules } from '#lib/api/schema/cel.ts';
import { structuralSchema } from '#lib/api/schema/structural.ts';
import { LABEL } from '#lib/api/words.ts';
import { validateManaged } from './support/crds.ts';

const ROOT = join(import.meta.dirname, '..');
const KINDS = { Cluster, NodePool } as const;

/** Folders with claims of one cloud; the function of a third party and settings of a platform are none. */
const clouds = readdirSync(join(ROOT, 'examples')).filter((folder) =>
  objectsIn(join(ROOT, 'examples', folder)).some(({ object }) => object.kind in KINDS),
);

function objectsIn(folder: string): readonly { readonly file: string; readonly object: KubeObject }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => ({
        file: relative(ROOT, path),
        object: document.toJS() as KubeObject,
      }));
    });
}

/** For examples with nothing but claims. */
const NONE = { file: 'nothing', object: undefined };

const flavorOf = (object: KubeObject) =>
  stringAt(object, 'spec', 'crossplane', 'compositionSelector', 'matchLabels', LABEL.flavor);

describe.for(clouds)('examples/%s', (cloud) => {
  const all = objectsIn(join(ROOT, 'examples', cloud));
  const claims = all.filter(({ object }) => object.kind in KINDS);
  const edits = objectsIn(join(ROOT, 'examples', cloud, 'edits'));
  const compositions = objectsIn(join(ROOT, 'compositions', cloud)).map(({ object }) => object);

  test.for([...claims, ...edits])('the schema and the API server accept $file', ({ object }) => {
    const kind = object.kind as keyof typeof KINDS;
    expect(() => parseAs(KINDS[kind], object, describeObject(object))).not.toThrow();
    expect(validateManaged(object)).toEqual([]);
  });

  test.for([...all.filter((one) => !claims.includes(one)), NONE])(
    'the API server accepts $file besides',
    ({ object }) => {
      expect(object === undefined ? [] : validateManaged(object)).toEqual([]);
    },
  );

  test.for(claims)('$file selects existing Compositions for every kind of its tree', ({ object }) => {
    const served = compositions
      .filter(({ metadata }) => metadata?.labels?.[LABEL.flavor] === flavorOf(object))
      .map((composition) => stringAt(composition, 'spec', 'compositeTypeRef', 'kind') ?? '');
    expect(new Set(served)).toEqual(new Set(['Cluster', 'Machine', 'NodePool']));
  });

  test('pools belong to a Cluster of the same example', () => {
    const clusters = new Set(
      claims.filter(({ object }) => object.kind === 'Cluster').map(({ object }) => object.metadata?.name),
    );
    const pools = claims
      .filter(({ object }) => object.kind === 'NodePool')
      .map(({ object }) => stringAt(object, 'spec', 'clusterRef', 'name'));
    expect(pools.length).toBeGreaterThan(0);
    expect(pools.filter((name) => !clusters.has(name))).toEqual([]);
  });

  test.for(edits)(
    '$file edits a claim, and only mutable fields, unless it says that it is refused',
    ({ file, object }) => {
      const before = claims.find(({ object: claim }) =>
        sameJson([claim.kind, claim.metadata], [object.kind, object.metadata]),
      );
      const definition = COMPOSITES.find(({ kind }) => kind === object.kind);
      const schema = definition?.spec === undefined ? {} : structuralSchema(definition.spec);
      expect(isJsonObject(before?.object.spec)).toBe(true);
      expect(sameJson(before?.object.spec, object.spec)).toBe(false);
      const isRefused = /^# .*: refused\b/.test(readFileSync(join(ROOT, file), 'utf8'));
      expect(validateRules(schema, object.spec, before?.object.spec)).toHaveLength(isRefused ? 1 : 0);
    },
  );
});
