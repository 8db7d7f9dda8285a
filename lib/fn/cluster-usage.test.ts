/** No function composes a Usage of a Cluster that could bring an old, refused deletion of it about. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clusterUsage } from './cluster-usage.ts';

const FUNCTIONS = join(import.meta.dirname, '../../functions');

test('never replays a deletion', () => {
  const usage = clusterUsage({ name: 'a', namespace: 'b', cluster: 'c', reason: 'd' });
  expect(usage.spec).not.toHaveProperty('replayDeletion');
});

test('is the only way functions write one', () => {
  const sources = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => [file, readFileSync(join(FUNCTIONS, file), 'utf8')] as const);
  const direct = sources.filter(([, text]) => text.includes("kind: 'Usage'")).map(([file]) => file);
  // Of a virtual machine, by the node on it: a deletion that was refused is meant to come about once the node is
  // drained.
  expect(direct).toEqual(['machine/node.ts']);
});
