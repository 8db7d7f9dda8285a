import { expect, test } from 'vitest';
import { conditionOf, isManagedReady, isUnresponsive, whyNotReady } from './conditions.ts';
import type { Json, KubeObject } from './json.ts';

const object = (...conditions: Json[]): KubeObject => ({ apiVersion: 'v1', kind: 'Thing', status: { conditions } });
const condition = (type: string, status: string, rest: object = {}) => ({ type, status, reason: 'R', ...rest });
const REFUSED = 'update failed: refuse to update: cannot change the value of the argument "ami"';

test.for<{ name: string; given: KubeObject | undefined; ready: boolean; why: string | undefined }>([
  { name: 'is not there', given: undefined, ready: false, why: 'not created yet' },
  { name: 'has no status', given: { apiVersion: 'v1', kind: 'Thing' }, ready: false, why: 'no Ready condition yet' },
  {
    name: 'is being made',
    given: object(condition('Ready', 'False', { reason: 'Creating' })),
    ready: false,
    why: 'Creating',
  },
  {
    name: 'says why',
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
    name: 'is Ready and says nothing of Synced, as a Usage',
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
    name: 'has garbage for a status',
    given: object(condition('Ready', 'yes')),
    ready: false,
    why: 'no Ready condition yet',
  },
  { name: 'has garbage for conditions', given: object('Ready', 7, null), ready: false, why: 'no Ready condition yet' },
  {
    name: 'has something else for conditions',
    given: { apiVersion: 'v1', kind: 'Thing', status: { conditions: 'Ready' } },
    ready: false,
    why: 'no Ready condition yet',
  },
])('what $name', ({ given, ready, why }) => {
  expect(isManagedReady(given)).toBe(ready);
  expect(whyNotReady(given)).toBe(why);
});

test('a condition without a reason has one anyway, since ours need one', () => {
  expect(conditionOf(object({ type: 'Ready', status: 'True' }), 'Ready')).toEqual({
    type: 'Ready',
    status: 'True',
    reason: 'Unknown',
  });
});

test('an open circuit breaker is Responsive=False and nothing else', () => {
  expect(isUnresponsive(object(condition('Responsive', 'False', { reason: 'WatchCircuitOpen' })))).toBe(true);
  expect(isUnresponsive(object(condition('Responsive', 'True')))).toBe(false);
  expect(isUnresponsive(object())).toBe(false);
});
