import { describe, expect, it, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { policyOf } from './policies.ts';
import { answering, pollInterval } from './requests.ts';

const object = (managementPolicies: readonly string[], annotations: Readonly<Record<string, string>> = {}) =>
  ({ apiVersion: 'v1', kind: 'WorkloadNode', metadata: { annotations }, spec: { managementPolicies } }) as KubeObject;

const ACTIONS = ['Observe', 'Create', 'Update', 'Delete', 'LateInitialize'];

describe('managementPolicies', () => {
  it('accepts the 15 sets of crossplane-runtime and no other, in any order', () => {
    const subsets = Array.from({ length: 32 }, (_none, bits) =>
      ACTIONS.filter((_action, index) => (bits & (1 << index)) !== 0),
    );
    const accepted = [...subsets, ['*']].filter((set) => policyOf(object(set)).way !== 'Refused');
    expect(accepted).toHaveLength(15);
    expect(accepted.map((set) => set.join(' '))).toMatchInlineSnapshot(`
      [
        "",
        "Observe",
        "Observe Create",
        "Observe Update",
        "Observe Create Update",
        "Observe Delete",
        "Observe Create Delete",
        "Observe Create Update Delete",
        "Observe LateInitialize",
        "Observe Create LateInitialize",
        "Observe Update LateInitialize",
        "Observe Create Update LateInitialize",
        "Observe Create Delete LateInitialize",
        "Observe Create Update Delete LateInitialize",
        "*",
      ]
    `);
  });

  it('says what is accepted', () => {
    expect(policyOf(object(['Delete']))).toEqual({
      way: 'Refused',
      message:
        'cannot accept spec.managementPolicies: [Delete] is not supported; accepted: [*], [], or Observe with one of Create+Update+Delete, Create+Update+LateInitialize, Create+Update, Create+Delete+LateInitialize, Create+LateInitialize, Create+Delete, Create, Delete, Update, LateInitialize, Update+LateInitialize or nothing',
    });
    expect(policyOf(object(['*', 'Observe'])).way).toBe('Refused');
  });

  it.each([
    ['true', 'Paused'],
    ['false', 'Act'],
    ['', 'Act'],
  ])('the annotation paused with %j means %s', (value, way) => {
    expect(policyOf(object(['*'], { 'crossplane.io/paused': value })).way).toBe(way);
  });
});

test.for([
  ['90s', 90],
  ['1h30m', 5400],
  ['1.5m', 90],
  ['10ms', 1],
  ['0s', undefined],
  ['-5s', undefined],
  ['soon', undefined],
  ['90', undefined],
  ['1'.repeat(50_000), undefined],
] as const)('the annotation poll-interval with %s is %s seconds', ([text, seconds]) => {
  expect(pollInterval(object(['*'], { 'crossplane.io/poll-interval': text }))).toBe(seconds);
});

test('a look is repeated after the poll interval, unless it asks for an earlier one itself', () => {
  const asked = object(['*'], { 'crossplane.io/poll-interval': '2m' });
  expect(answering(asked, { again: {} }).again).toEqual({ poll: 120 });
  expect(answering(asked, { again: { poll: 10, due: 5 } }).again).toEqual({ poll: 10, due: 5 });
  expect(answering(object(['*']), { again: {} }).again).toEqual({});
});
