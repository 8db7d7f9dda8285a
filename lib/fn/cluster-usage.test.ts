/** No function composes a Usage of a Cluster that could repeat an old, refused deletion of that Cluster. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clusterUsage } from './cluster-usage.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['functions', 'lib', 'clouds'];

test('never repeats a deletion', () => {
  const usage = clusterUsage({ name: 'a', namespace: 'b', cluster: 'c', reason: 'd' });
  expect(usage.spec).not.toHaveProperty('replayDeletion');
});

test('is the only way functions create a Usage', () => {
  const sources = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const);
  const direct = sources.filter(([, text]) => text.includes("kind: 'Usage'")).map(([file]) => file);
  // The Usage of a virtual machine by its node: a refused deletion is repeated on purpose once the node is drained.
  expect(direct).toEqual(['lib/cloud/drain.ts', 'lib/fn/cluster-usage.ts']);
});
