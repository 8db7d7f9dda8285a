/** Pools and machines follow what a Cluster had accepted: their functions require its ClusterFacts and not the Cluster. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = globSync(
  ['functions/{nodepool,in-place-update,machine,bootstrap,provisioning}/**/*.ts', 'lib/fn/*.ts'],
  {
    cwd: ROOT,
  },
).filter((file) => !/\.(test|fixture)\.ts$/.test(file));

/** Where a Cluster is asked for itself, and why. */
const READERS: Readonly<Record<string, string>> = {
  'functions/nodepool/cluster-edit.ts': 'whether the Cluster still has an edit to judge; nothing of its spec is used',
  'lib/fn/cluster-facts.ts': 'gives facts the form of a Cluster',
};

test('no step requires a Cluster, whose spec may never be accepted', () => {
  expect(SOURCES.length).toBeGreaterThan(100);
  const readers = SOURCES.filter((file) => /kind: 'Cluster'/.test(readFileSync(join(ROOT, file), 'utf8')));
  expect(readers.toSorted()).toEqual(Object.keys(READERS).toSorted());
});
