import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '#lib/api/json.ts';
import { CATALOG, packageYaml } from './catalog.ts';

const ROOT = join(import.meta.dirname, '../..');

test.for(CATALOG)('$name is YAML that Crossplane reads: its own metadata first, then what it carries', (source) => {
  const objects = parseAllDocuments(packageYaml(ROOT, source)).map((document) => document.toJS() as KubeObject);
  expect(objects[0]).toMatchObject({ apiVersion: 'meta.pkg.crossplane.io/v1', metadata: { name: source.name } });
  expect(objects.length).toBeGreaterThan(1);
  expect(objects.filter(({ kind, metadata }) => kind === '' || metadata?.name === undefined)).toEqual([]);
});
