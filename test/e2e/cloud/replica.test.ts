import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { outstanding, rebased } from './replica.ts';

const BASE: KubeObject = {
  apiVersion: 'v1',
  kind: 'Instance',
  metadata: { name: 'a', resourceVersion: '7', finalizers: ['theirs'], annotations: { kept: 'yes' } },
  spec: { size: 1 },
  status: { conditions: [] },
};

test('an object as the server has it needs no write', () => {
  expect(outstanding({ base: BASE, own: BASE })).toEqual({ body: undefined, status: undefined });
});

test('status and the rest are written separately, finalizers with the resource version that was read', () => {
  const own = {
    ...BASE,
    metadata: { ...BASE.metadata, resourceVersion: '1', finalizers: ['theirs', 'ours'] },
    status: { conditions: [], id: 'i-1' },
  };
  expect(outstanding({ base: BASE, own })).toEqual({
    body: { metadata: { finalizers: ['theirs', 'ours'], resourceVersion: '7' } },
    status: { id: 'i-1' },
  });
});

test('a newer object keeps its own changes and gets those not written yet', () => {
  const own = { ...BASE, metadata: { ...BASE.metadata, finalizers: ['theirs', 'ours'] }, status: { id: 'i-1' } };
  const shown = {
    ...BASE,
    metadata: { ...BASE.metadata, resourceVersion: '9', finalizers: ['theirs', 'another'] },
    spec: { size: 2 },
  };
  const { base, own: next } = rebased({ base: BASE, own }, shown);
  expect(base).toBe(shown);
  expect(next.metadata?.finalizers).toEqual(['theirs', 'another', 'ours']);
  expect(next.spec).toEqual({ size: 2 });
  expect(next.status).toEqual({ id: 'i-1' });
});

test('a removed finalizer stays removed, whoever else wrote in the meantime', () => {
  const { finalizers: _none, ...metadata } = BASE.metadata ?? {};
  const shown = { ...BASE, metadata: { ...BASE.metadata, resourceVersion: '9' }, spec: { size: 2 } };
  const { own } = rebased({ base: BASE, own: { ...BASE, metadata } }, shown);
  expect(own.metadata?.finalizers).toBeUndefined();
});
