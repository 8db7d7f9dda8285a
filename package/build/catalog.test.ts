import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '#lib/api/json.ts';
import { CATALOG, packageYaml } from './catalog.ts';

const ROOT = join(import.meta.dirname, '../..');

test.for(CATALOG)('$name is YAML that Crossplane reads: its own metadata first, then its content', (source) => {
  const objects = parseAllDocuments(packageYaml(ROOT, source, 'v0.1.0')).map(
    (document) => document.toJS() as KubeObject,
  );
  expect(objects[0]).toMatchObject({ apiVersion: 'meta.pkg.crossplane.io/v1', metadata: { name: source.name } });
  expect(objects.length).toBeGreaterThan(1);
  expect(objects.filter(({ kind, metadata }) => kind === '' || metadata?.name === undefined)).toEqual([]);
});

test('a word that is a boolean in YAML 1.1 is quoted, because Go reads YAML 1.1', () => {
  const root = mkdtempSync(join(tmpdir(), 'slipway-catalog-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'made-up'));
  writeFileSync(
    join(root, 'made-up/crossplane.yaml'),
    'apiVersion: v1\nmetadata: { name: "no", swap: "on", plain: word }\n',
  );
  const yaml = packageYaml(root, { ...CATALOG[0]!, folder: 'made-up', content: [] }, 'v0.1.0');
  expect(yaml).toBe('apiVersion: v1\nmetadata:\n  name: "no"\n  swap: "on"\n  plain: word\n');
});
