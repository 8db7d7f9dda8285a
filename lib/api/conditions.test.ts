import { expect, test } from 'vitest';
import { conditionOf, isManagedReady, isUnresponsive, whyNotReady } from './conditions.ts';
import type { Json, KubeObject } from './json.ts';

const object = (...conditions: Json[]): KubeObject => ({ apiVersion: 'v1', kind: 'Thing', status: { conditions } });
const condition = (type: string, status: string, rest: object = {}) => ({ type, status, reason: 'R', ...rest });
const REFUSED = 'update failed: refuse to update: cannot change the value of the argument "ami"';

test.for<{ name: string; given: KubeObject | undefined; ready: boolean; why: string | undefined }>([
  { name: 'does not exist', given: undefined, ready: false, why: 'not created yet' },
  { name: 'has no status', given: { apiVersion: 'v1', kind: 'Thing' }, ready: false, why: 'not created yet' },
  {
    name: 'is being created',
    given: object(condition('Ready', 'False', { reason: 'Creating' })),
    ready: false,
    why: 'not created yet',
  },
  {
    name: 'is an XR that is not ready',
    given: {
      ...object(condition('Ready', 'False', { reason: 'Creating' })),
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Machine',
    },
    ready: false,
    why: 'Creating',
  },
  {
    name: 'is an XR of another release that is not ready',
    given: {
      ...object(condition('Ready', 'False', { reason: 'Creating' })),
      apiVersion: 'slipway.dev/v1beta1',
      kind: 'Machine',
    },
    ready: false,
    why: 'Creating',
  },
  {
    name: 'reports why',
    given: object(condition('Ready', 'False', { message: 'no capacity' })),
    ready: false,
    why: 'no capacity',
  },
  {
    name: 'is Ready and Synced',
    given: object(condition('Ready', 'True'), condition('Synced', 'True')),
    ready: true,
    why: undefined,
  },
  {
    name: 'is Ready and has no Synced condition, like a Usage',
    given: object(condition('Ready', 'True')),
    ready: true,
    why: undefined,
  },
  {
    name: 'is Ready but refused a change',
    given: object(condition('Ready', 'True'), condition('Synced', 'False', { message: REFUSED })),
    ready: false,
    why: REFUSED,
  },
  {
    name: 'is Ready but Unknown',
    given: object(condition('Ready', 'Unknown', { reason: 'Who' })),
    ready: false,
    why: 'Who',
  },
  {
    name: 'has invalid data as status',
    given: object(condition('Ready', 'yes')),
    ready: false,
    why: 'not created yet',
  },
  { name: 'has invalid data as conditions', given: object('Ready', 7, null), ready: false, why: 'not created yet' },
  {
    name: 'has another type as conditions',
    given: { apiVersion: 'v1', kind: 'Thing', status: { conditions: 'Ready' } },
    ready: false,
    why: 'not created yet',
  },
])('reports an object that $name', ({ given, ready, why }) => {
  expect(isManagedReady(given)).toBe(ready);
  expect(whyNotReady(given)).toBe(why);
});

test('a condition without a reason gets one, because Slipway conditions require one', () => {
  expect(conditionOf(object({ type: 'Ready', status: 'True' }), 'Ready')).toEqual({
    type: 'Ready',
    status: 'True',
    reason: 'Unknown',
  });
});

test('an object that is being created gives the same line until it has an id, because each change would be a write', () => {
  const way = [
    undefined,
    object(),
    object(condition('Synced', 'True'), condition('Ready', 'False', { reason: 'Creating' })),
  ];
  expect(new Set(way.map(whyNotReady))).toEqual(new Set(['not created yet']));
});

test('an open circuit breaker is Responsive=False and nothing else', () => {
  expect(isUnresponsive(object(condition('Responsive', 'False', { reason: 'WatchCircuitOpen' })))).toBe(true);
  expect(isUnresponsive(object(condition('Responsive', 'True')))).toBe(false);
  expect(isUnresponsive(object())).toBe(false);
});
