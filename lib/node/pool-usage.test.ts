import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { IN_USE } from './config.ts';
import { decidePoolUsage } from './pool-usage.ts';

const AT = '2026-01-01T00:10:00Z';

const usage = (metadata: Partial<KubeObject['metadata']>, kind = 'NodePool'): KubeObject => ({
  apiVersion: 'node.slipway.dev/v1alpha1',
  kind: 'ProviderConfigUsage',
  metadata: { name: 'general-nodes-u', namespace: 'team-a', ...metadata },
  providerConfigRef: { kind: 'ProviderConfig', name: 'prod' },
  resourceRef: { apiVersion: 'slipway.dev/v1alpha1', kind, name: 'general' },
});
const HELD = { finalizers: [IN_USE] };
const GOING = { ...HELD, deletionTimestamp: AT };

const node = (namespace: string, pool: string, creationTimestamp: string): KubeObject => ({
  apiVersion: 'node.slipway.dev/v1alpha1',
  kind: 'WorkloadNode',
  metadata: { name: 'n', namespace, labels: { 'slipway.dev/nodepool': pool }, creationTimestamp },
});
const OLD = node('team-a', 'general', '2026-01-01T00:00:00Z');

test.for([
  { name: 'a new one', is: usage({}), nodes: [], verdict: 'Add' },
  { name: 'one that is held', is: usage(HELD), nodes: [], verdict: undefined },
  { name: 'a deleted one with a node of its pool', is: usage(GOING), nodes: [OLD], verdict: undefined },
  { name: 'a deleted one without nodes', is: usage(GOING), nodes: [], verdict: 'Remove' },
  {
    name: 'a deleted one that never had a finalizer',
    is: usage({ deletionTimestamp: AT }),
    nodes: [],
    verdict: undefined,
  },
  {
    name: 'a deleted one beside nodes of other pools and namespaces',
    is: usage(GOING),
    nodes: [node('team-a', 'other', '2026-01-01T00:00:00Z'), node('team-b', 'general', '2026-01-01T00:00:00Z')],
    verdict: 'Remove',
  },
  {
    name: 'a deleted one whose pool was made again under its name',
    is: usage(GOING),
    nodes: [node('team-a', 'general', '2026-01-01T00:11:00Z')],
    verdict: 'Remove',
  },
] as const)('the finalizer of $name: $verdict', ({ is, nodes, verdict }) => {
  expect(decidePoolUsage(is, nodes)).toBe(verdict);
});
