import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Installed } from './helm.ts';
import { merged, releaseOf, statusOf, stepFor } from './release.ts';

const CHART = { repository: 'https://charts.example.com', name: 'ingress', version: '4.1.0' };
const KEEPS = ['Observe', 'Create', 'Update', 'LateInitialize'];

function aRelease(forProvider: JsonObject = {}, managementPolicies: readonly string[] = ['*']): KubeObject {
  return {
    apiVersion: 'helm.m.crossplane.io/v1beta1',
    kind: 'Release',
    metadata: { name: 'prod-addon-ingress', annotations: { 'crossplane.io/external-name': 'ingress' } },
    spec: { forProvider: { chart: CHART, namespace: 'web', ...forProvider }, managementPolicies },
  };
}

const RUNS: Installed = { chart: 'ingress', version: '4.1.0', revision: 1, state: 'deployed', values: { replicas: 2 } };

test('a release has the external name, and waits only where it is told to', () => {
  expect(releaseOf(aRelease())).toMatchObject({ name: 'ingress', namespace: 'web', chart: CHART, wait: undefined });
  expect(releaseOf(aRelease({ wait: true })).wait).toBeGreaterThan(0);
});

test('values of a Secret have a key of their own, or the one that Helm knows', () => {
  const valuesFrom = [{ secretKeyRef: { name: 's', key: 'k' } }, { configMapKeyRef: { name: 'c', optional: true } }];
  expect(releaseOf(aRelease({ valuesFrom })).valuesFrom).toEqual([
    { kind: 'Secret', name: 's', key: 'k', optional: false },
    { kind: 'ConfigMap', name: 'c', key: 'values.yaml', optional: true },
  ]);
});

test('values are merged by key, lists as a whole', () => {
  expect(merged([{ a: { b: 1, c: [1, 2] } }, { a: { c: [3] }, d: 4 }])).toEqual({ a: { b: 1, c: [3] }, d: 4 });
});

describe('what is done', () => {
  test.each([
    ['nothing where it runs as it should', {}, KEEPS, RUNS, undefined],
    ['nothing for a v before the version', { chart: { ...CHART, version: 'v4.1.0' } }, KEEPS, RUNS, undefined],
    ['it is made where there is none', {}, KEEPS, undefined, 'create'],
    ['another version is installed', { chart: { ...CHART, version: '4.2.0' } }, KEEPS, RUNS, 'update'],
    ['one that failed is tried again', {}, KEEPS, { ...RUNS, state: 'failed' }, 'update'],
    ['nothing is made that may only be looked at', {}, ['Observe'], undefined, undefined],
    [
      'nothing is changed that may only be made',
      { chart: { ...CHART, version: '4.2.0' } },
      ['Create'],
      RUNS,
      undefined,
    ],
  ] as const)('%s', (_, forProvider, policies, installed, step) => {
    expect(stepFor(releaseOf(aRelease(forProvider, policies)), { replicas: 2 }, installed)).toBe(step);
  });

  test('other values are installed', () => {
    expect(stepFor(releaseOf(aRelease()), { replicas: 3 }, RUNS)).toBe('update');
  });

  test('it is uninstalled only where the policies say so', () => {
    expect(releaseOf(aRelease({}, KEEPS)).may('Delete')).toBe(false);
    expect(releaseOf(aRelease()).may('Delete')).toBe(true);
  });
});

test('trouble is Synced=False in one line, and what runs stays Ready', () => {
  const status = statusOf(RUNS, 'update failed: no such chart', 3, '2026-01-01T00:00:00Z');
  expect(status).toMatchObject({
    observedGeneration: 3,
    atProvider: { version: '4.1.0', state: 'deployed', revision: 1 },
    conditions: [
      { type: 'Synced', status: 'False', reason: 'ReconcileError', message: 'update failed: no such chart' },
      { type: 'Ready', status: 'True', reason: 'Available' },
    ],
  });
});
