import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { ANSWERS_FOR_NOTHING } from './law.ts';
import { Reply } from './reply.ts';
import type { Desired, Request } from './request.ts';

const XR: KubeObject = { apiVersion: 'v1', kind: 'XR', metadata: { name: 'one' } };
const thing = (name: string, spec: JsonObject = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name },
  spec,
});

function aRequest(desired: Readonly<Record<string, Desired>> = {}, composite = XR): Request {
  return {
    meta: { tag: 't' },
    input: undefined,
    observed: { composite, resources: new Map() },
    desired: {
      composite: { ...XR, status: { phase: 'Early', list: [1] } },
      compositeReady: 'Unspecified',
      resources: new Map(Object.entries(desired)),
    },
    context: { before: 1 },
    required: new Map([['known', [thing('found')]]]),
  };
}

describe('the output of earlier steps', () => {
  test('is kept until a step sets it again, and is assigned, never merged', () => {
    const earlier: Desired = { resource: thing('a', { list: [1, 2], old: true }), ready: 'True' };
    const request = aRequest({ a: earlier, b: earlier, c: earlier });
    const replaced = thing('a', { list: [3] });
    const reply = new Reply(request, ANSWERS_FOR_NOTHING)
      .compose('a', replaced, false)
      .drop('b')
      .status({ list: [2] })
      .context('after', 2);
    const built = reply.build();
    expect([...built.resources]).toEqual([
      ['a', { resource: replaced, ready: 'False' }],
      ['c', earlier],
    ]);
    expect(built.status).toEqual({ phase: 'Early', list: [2] });
    expect(built.context).toEqual({ before: 1, after: 2 });
    expect([...request.desired.resources.keys()], 'the request is not changed').toEqual(['a', 'b', 'c']);
    expect(request.context).toEqual({ before: 1 });
  });

  test('a condition that is set twice is sent once, with the last value', () => {
    const { conditions } = new Reply(aRequest(), ANSWERS_FOR_NOTHING)
      .condition('A', false, 'Early')
      .condition('A', true, 'Late')
      .build();
    expect(conditions).toEqual([{ type: 'A', status: 'True', reason: 'Late' }]);
  });
});

test('a requirement returns the fetched objects, undefined before the first fetch, and is requested again either way', () => {
  const reply = new Reply(aRequest(), ANSWERS_FOR_NOTHING);
  const selector = { apiVersion: 'v1', kind: 'Thing', matchName: 'x' };
  expect(reply.require('known', selector)).toEqual([thing('found')]);
  expect(reply.require('unknown', selector)).toBeUndefined();
  expect([...reply.build().requirements.keys()]).toEqual(['known', 'unknown']);
});

describe('the time to live', () => {
  const open = { ...XR, status: { conditions: [{ type: 'Responsive', status: 'False', reason: 'WatchCircuitOpen' }] } };
  test.for<{ reason: string; reply: Reply; want: number }>([
    { reason: 'settled', reply: new Reply(aRequest(), ANSWERS_FOR_NOTHING).compose('a', thing('a'), true), want: 600 },
    {
      reason: 'a resource is not ready',
      reply: new Reply(aRequest(), ANSWERS_FOR_NOTHING).compose('a', thing('a'), false),
      want: 10,
    },
    {
      reason: 'an object is still to be created',
      reply: new Reply(aRequest(), ANSWERS_FOR_NOTHING).notReady(),
      want: 10,
    },
    { reason: 'the circuit breaker is open', reply: new Reply(aRequest({}, open), ANSWERS_FOR_NOTHING), want: 10 },
    {
      reason: 'the shortest requested value',
      reply: new Reply(aRequest(), ANSWERS_FOR_NOTHING).ttl(30).ttl(90),
      want: 30,
    },
    {
      reason: 'never longer than for a settled object',
      reply: new Reply(aRequest(), ANSWERS_FOR_NOTHING).ttl(9000),
      want: 600,
    },
    {
      reason: 'a requested value may be shorter than the one in progress',
      reply: new Reply(aRequest(), ANSWERS_FOR_NOTHING).notReady().ttl(3),
      want: 3,
    },
  ])('is $want s: $reason', ({ reply, want }) => {
    expect(reply.build().ttl).toBe(want);
  });
});
