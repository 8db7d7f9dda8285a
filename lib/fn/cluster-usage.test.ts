/** No function composes a Usage of a Cluster that could repeat an old, refused deletion of that Cluster. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clusterUsage } from './cluster-usage.ts';

const FUNCTIONS = join(import.meta.dirname, '../../functions');

test('never repeats a deletion', () => {
  const usage = clusterUsage({ name: 'a', namespace: 'b', cluster: 'c', reason: 'd' });
  expect(usage.spec).not.toHaveProperty('replayDeletion');
});

test('is the only way functions create a Usage', () => {
  const sources = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => [file, readFileSync(join(FUNCTIONS, file), 'utf8')] as const);
  const direct = sources.filter(([, text]) => text.includes("kind: 'Usage'")).map(([file]) => file);
  // The Usage of a virtual machine by its node: a refused deletion is repeated on purpose once the node is drained.
  expect(direct).toEqual(['machine/node.ts']);
});
