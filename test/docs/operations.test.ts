/** docs/operations.md says what to do about everything that a WorkloadNode may say, and names nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { NODE_CONDITIONS } from '#lib/api/contracts/workload-node.ts';
import { EVENT_REASONS } from '#lib/node/decision.ts';
import { Metrics } from '../../controllers/node/metrics.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');

test('every reason that is not True has a line, and there are no others', () => {
  const lines = [...page.matchAll(/^\| `(?<type>[A-Za-z]+)` +\| `(?<reason>[A-Za-z]+)` +\|/gm)];
  const reasons = Object.entries(NODE_CONDITIONS).flatMap(([type, { reasons }]) =>
    Object.entries(reasons)
      .filter(([, { status }]) => status !== 'True')
      .map(([reason]) => `${type} ${reason}`),
  );
  expect(lines.map(({ groups }) => `${groups?.['type'] ?? ''} ${groups?.['reason'] ?? ''}`).toSorted()).toEqual(
    reasons.toSorted(),
  );
});

test('every event is named, and there are no others', () => {
  const table = /^## Events\n(?<rows>[\s\S]*?)^## /m.exec(page)?.groups?.['rows'] ?? '';
  const named = [...table.matchAll(/^\| `(?<reason>[A-Za-z]+)` +\|/gm)].map(({ groups }) => groups?.['reason'] ?? '');
  expect(named.toSorted()).toEqual([...EVENT_REASONS].toSorted());
});

test('every metric of provider-node is named, and there are no others', async () => {
  const registry = new Registry();
  expect(new Metrics(registry, () => ({ objects: [], waiting: 0, cutOff: [] }))).toBeDefined();
  const metrics = await registry.getMetricsAsJSON();
  const named = [...page.matchAll(/`(?<name>(?:crossplane|slipway)_[a-z_]+)`/g)].map(
    ({ groups }) => groups?.['name'] ?? '',
  );
  const short = [...page.matchAll(/`…(?<end>_[a-z]+)`/g)].map(
    ({ groups }) => `crossplane_managed_resource${groups?.['end'] ?? ''}`,
  );
  expect([...named, ...short].toSorted()).toEqual(metrics.map(({ name }) => name).toSorted());
});
