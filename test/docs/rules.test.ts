/** The update rules on pages are valid. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '#lib/api/json.ts';
import { InPlaceUpdateInput } from '../../functions/in-place-update/input.ts';
import { rulebook } from '../../functions/in-place-update/rulebook.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/in-place-updates.md'), 'utf8');
const blocks = [...page.matchAll(/^```yaml\n(?<body>.*?)^```/gms)].map(({ groups }) => groups?.['body'] ?? '');

test.for(blocks.map((block) => [block] as const))('%s', ([block]) => {
  const rules = parse(block) as JsonObject;
  // A page shows only a part: updaters in other rules may be missing.
  const named = new Set((rules['rules'] as readonly { updater?: string }[]).flatMap(({ updater }) => updater ?? []));
  const known = (rules['updaters'] ?? []) as readonly JsonObject[];
  const missing = [...named].filter((name) => known.every((one) => one['name'] !== name));
  const updaters = [...known, ...missing.map((name) => ({ name, runsOn: 'Machine' }))];
  const input = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'InPlaceUpdateInput', ...rules, updaters };
  expect(rulebook(InPlaceUpdateInput.parse(input)).faults).toEqual([]);
});
