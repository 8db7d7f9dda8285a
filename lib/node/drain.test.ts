import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { drainOf } from './drain.ts';
import type { Eviction } from './situation.ts';

const NOW = Date.parse('2026-01-01T00:01:00Z');
const NODE: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'general-0' } };

function pod(metadata: Readonly<Record<string, unknown>> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'default', name: 'web', ...metadata } };
}

function again(item: KubeObject, evictions?: ReadonlyMap<string, Eviction>): number | undefined {
  const pods = { items: [item], daemonSets: new Set<string>() };
  const drain = drainOf({ object: NODE, now: NOW, pods, ...(evictions === undefined ? {} : { evictions }) }, NODE);
  return drain.way === 'Wait' ? drain.poll : undefined;
}

test('pods that were just evicted are looked at soon, because most end at once', () => {
  expect(again(pod(), new Map([['default/web', 'Accepted']]))).toBe(2);
});

test.for([
  { ends: '2026-01-01T00:01:29Z', grace: 30, seconds: 2 },
  { ends: '2026-01-01T00:01:20Z', grace: 30, seconds: 10 },
  { ends: '2026-01-01T00:00:50Z', grace: 30, seconds: 30 },
  { ends: '2026-01-01T00:40:00Z', grace: 3600, seconds: 30 },
  { ends: '2026-01-01T00:00:55Z', grace: undefined, seconds: 5 },
])('a pod with $grace seconds that has to have ended at $ends: again after $seconds', ({ ends, grace, seconds }) => {
  const told = { deletionTimestamp: ends, ...(grace === undefined ? {} : { deletionGracePeriodSeconds: grace }) };
  expect(again(pod(told))).toBe(seconds);
});

test('a pod that is waited for, and not told to end, may take hours', () => {
  expect(again(pod({ labels: { 'cluster.x-k8s.io/drain': 'wait-completed' } }))).toBe(30);
});
