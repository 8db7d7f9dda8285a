/**
 * The page about roll-outs shows what the functions do: the edits are read from the page, and its blocks are the
 * results. After a change of behaviour `npx vitest run test/docs/roll-outs.test.ts -u` updates the blocks in the page.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type JsonObject, stringAt } from '#lib/api/json.ts';
import { type Story, written } from './story.ts';

const PAGE = join(import.meta.dirname, '../../docs/roll-outs.md');
const page = readFileSync(PAGE, 'utf8');

/** The YAML blocks of the page, in order. */
const edits = [...page.matchAll(/^```yaml\n(?<body>.*?)^```/gms)].map(
  ({ groups }) => (parse(groups?.['body'] ?? '') as { readonly spec: JsonObject }).spec,
);

/** As functions/cluster composes them. */
const controlPlane = (replicas: number): JsonObject => ({
  replicas,
  role: 'control-plane',
  update: { strategy: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 },
});

const STORIES: readonly Story[] = [
  {
    pool: 'prod-control-plane',
    spec: controlPlane(3),
    begin: (world) => world.upgrade(stringAt(edits[0], 'version') ?? ''),
  },
  {
    pool: 'prod-control-plane',
    spec: controlPlane(5),
    begin: (world) => world.sicken([...world.lives.keys()].slice(0, 2)),
  },
  { pool: 'prod-general', spec: { replicas: 4 }, begin: (world) => world.edit(edits[1] ?? {}) },
];

test('the page has a block for each story, and an edit for those that begin with one', () => {
  expect(page.match(/^```text$/gm)).toHaveLength(STORIES.length);
  expect(edits).toHaveLength(2);
});

test('the blocks show what the functions do and report', async () => {
  const blocks: string[] = [];
  for (const story of STORIES) blocks.push(await written(story));
  const rewritten = page.replaceAll(/^```text\n.*?^```/gms, () => `\`\`\`text\n${blocks.shift() ?? ''}\`\`\``);
  await expect(rewritten).toMatchFileSnapshot(PAGE);
});
