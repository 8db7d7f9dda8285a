/** A plan shows values of objects, and no secret. */
import { expect, test } from 'vitest';
import type { KubeObject } from './json.ts';
import { shown, shownChange } from './shown.ts';

const manifestOf = (kind: string): KubeObject => ({
  apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
  kind: 'Object',
  spec: { forProvider: { manifest: { apiVersion: 'v1', kind, data: { key: 'aHVzaA==' } } } },
});

test.for([
  { what: 'data of a Secret', object: { apiVersion: 'v1', kind: 'Secret' }, path: ['data', 'key'], text: '(secret)' },
  {
    what: 'data of a Secret that provider-kubernetes applies',
    object: manifestOf('Secret'),
    path: ['spec', 'forProvider', 'manifest', 'data', 'key'],
    text: '(secret)',
  },
  {
    what: 'data of a ConfigMap that it applies',
    object: manifestOf('ConfigMap'),
    path: ['spec', 'forProvider', 'manifest', 'data', 'key'],
    text: '"aHVzaA=="',
  },
])('$what: $text', ({ object, path, text }) => {
  expect(shown('aHVzaA==', path, object)).toBe(text);
});

const CLAIM = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Cluster' };
const change = (old: string | undefined, now: string | undefined) =>
  shownChange({ old, new: now }, ['spec', 'region'], CLAIM);

test('a short change is shown whole', () => {
  expect(change('eu-west', 'eu-north')).toEqual({ old: '"eu-west"', new: '"eu-north"' });
  expect(change(undefined, 'eu-north')).toEqual({ new: '"eu-north"' });
});

test('of a long value the part that changes is shown, not the part that both have', () => {
  const { old, new: now } = change(`${'a'.repeat(100)}b`, `${'a'.repeat(100)}c${'d'.repeat(100)}`);
  expect(old).toBe(`...${'a'.repeat(20)}b"`);
  expect(now).toMatch(/^\.{3}a{20}cd+\.{3}$/);
  expect(now).toHaveLength(80);
});

test('of an object the members that change are shown', () => {
  const endpoint = (host: string) => ({ host, port: 6443 });
  const values = { old: endpoint('api.example.com'), new: endpoint('api.internal.example.com') };
  expect(shownChange(values, ['spec', 'controlPlane', 'endpoint'], CLAIM)).toEqual({
    old: '{"host":"api.example.com"}',
    new: '{"host":"api.internal.example.com"}',
  });
});

test('of long JSON the member that changes is shown from its key on, and none is cut in its middle', () => {
  const values = (size: string) => ({
    clusterName: 'prod',
    nodeSelector: { 'node-role.kubernetes.io/control-plane': '' },
    resources: { limits: { memory: size }, requests: { cpu: '100m', memory: '64Mi' } },
    tolerations: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }],
  });
  const { old, new: now } = shownChange({ old: [values('64Mi')], new: [values('128Mi')] }, ['spec', 'values'], CLAIM);
  expect(old).toBe('..."memory":"64Mi"},"requests":{"cpu":"100m","memory":"64Mi"}},"tolerations":...');
  expect(now).toBe('..."memory":"128Mi"},"requests":{"cpu":"100m","memory":"64Mi"}},...');
  expect(shownChange({ old: values('64Mi'), new: undefined }, ['spec', 'values'], CLAIM).old).toBe(
    '{"clusterName":"prod","nodeSelector":{"node-role.kubernetes.io/control-plane"...',
  );
});

test('a long value that is all new is cut at its end', () => {
  expect(change(undefined, 'a'.repeat(100))).toEqual({ new: `"${'a'.repeat(76)}...` });
});
