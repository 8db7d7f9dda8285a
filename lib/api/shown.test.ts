/** A plan shows values of objects, and no secret. */
import { expect, test } from 'vitest';
import type { KubeObject } from './json.ts';
import { shown } from './shown.ts';

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
