/** A ProviderConfig is not deleted while an object uses it. */
import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { decideConfig, IN_USE, isTracked, refersTo, usageOf } from './config.ts';

const node = (ref: object): KubeObject => ({
  apiVersion: 'node.slipway.dev/v1alpha1',
  kind: 'WorkloadNode',
  metadata: { namespace: 'team-a', name: 'general-0', uid: 'one' },
  spec: { providerConfigRef: { name: 'prod', ...ref } },
});
const config = (kind: string, metadata: object = {}): KubeObject => ({
  apiVersion: 'node.slipway.dev/v1alpha1',
  kind,
  metadata: { name: 'prod', ...metadata },
});
const LOCAL = node({});
const HELD = { namespace: 'team-a', finalizers: [IN_USE] };
const GOING = { ...HELD, deletionTimestamp: '2026-01-01T00:00:00Z' };

test.for([
  ['one of its namespace', LOCAL, config('ProviderConfig', { namespace: 'team-a' }), true],
  ['not one of another namespace', LOCAL, config('ProviderConfig', { namespace: 'team-b' }), false],
  ['one for every namespace', node({ kind: 'ClusterProviderConfig' }), config('ClusterProviderConfig'), true],
  ['not one of the same name and another kind', LOCAL, config('ClusterProviderConfig'), false],
] as const)('an object refers to %s', ([, object, to, want]) => {
  expect(refersTo(object, to)).toBe(want);
});

test('a usage that lost its owner, or names another configuration, is written again', () => {
  const usage = usageOf(LOCAL);
  expect(isTracked(LOCAL, usage)).toBe(true);
  const { ownerReferences: _lost, ...metadata } = usage.metadata!;
  for (const other of [undefined, { ...usage, metadata }, usageOf(node({ name: 'test' }))])
    expect(isTracked(LOCAL, other)).toBe(false);
});

test('a configuration gets its finalizer before anything uses it, and users write nothing on it', () => {
  const unused = config('ProviderConfig', { namespace: 'team-a' });
  expect(decideConfig(unused, [], [])).toEqual({ finalizer: 'Add', conditions: [] });
  expect(decideConfig(config('ProviderConfig', HELD), [LOCAL], [usageOf(LOCAL)])).toEqual({ conditions: [] });
});

test.for([
  ['an object without a usage', [LOCAL], []],
  ['a usage without an object', [], [usageOf(LOCAL)]],
] as const)('a deleted configuration waits for %s, and counts it once', ([, nodes, usages]) => {
  const { finalizer, conditions } = decideConfig(config('ProviderConfig', GOING), nodes, usages);
  expect(finalizer).toBeUndefined();
  expect(conditions).toEqual([{ type: 'Terminating', status: 'True', reason: 'InUse', message: '1 object uses it' }]);
});

test('a deleted configuration without users is released', () => {
  expect(decideConfig(config('ProviderConfig', GOING), [], []).finalizer).toBe('Remove');
});
