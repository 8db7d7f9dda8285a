import { RunFunctionRequest, RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { ANSWERS_FOR_NOTHING } from '#lib/fn/law.ts';
import { Reply } from '#lib/fn/reply.ts';
import type { Desired, Observed, Readiness, Request } from '#lib/fn/request.ts';
import { decodeAnswer } from './answer.ts';
import { decodeRequest, incoming, requestIn } from './incoming.ts';
import { encodeReply } from './reply.ts';
import { encodeRequest } from './request.ts';

const over = (request: Request): Request => decodeRequest(encodeRequest(request));
const encoded = (request: Request, reply: Reply): Uint8Array =>
  encodeReply(incoming(encodeRequest(request)), request.observed.composite, reply.build());
const answered = (request: Request, reply: Reply) => decodeAnswer(encoded(request, reply));

const XR: KubeObject = { apiVersion: 'v1', kind: 'XR', metadata: { name: 'one' }, spec: { a: 1 }, status: { b: 2 } };
const EMPTY: Request = {
  meta: { tag: 't' },
  input: undefined,
  observed: { composite: XR, resources: new Map() },
  desired: { composite: undefined, compositeReady: 'Unspecified', resources: new Map() },
  context: {},
  required: new Map(),
};

const VERSION = { name: 'a', uid: 'u', resourceVersion: '7' };

// Keys that set a prototype are refused by plain.ts.
const word = fc.string().filter((text) => text !== '__proto__');
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true })),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(word, tie('value'), { maxKeys: 4 }),
  ),
}));
const object = fc.dictionary(word, json.value, { maxKeys: 5, noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
const resource = object.map((parts): KubeObject => ({ apiVersion: 'v1', kind: 'Thing', spec: parts }));
const ready = fc.constantFrom<Readiness>('True', 'False', 'Unspecified');
const named = <T>(value: fc.Arbitrary<T>) =>
  fc
    .dictionary(word, value, { maxKeys: 4 })
    .map((record) => new Map(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))));
const bytes = fc.uint8Array({ maxLength: 20 }).map((array) => Buffer.from(array));
const details = fc.dictionary(word, bytes, { maxKeys: 3, noNullPrototype: true });

const requests: fc.Arbitrary<Request> = fc.record({
  meta: fc.record({ tag: fc.string() }),
  input: fc.option(object, { nil: undefined }),
  observed: fc.record({
    composite: resource,
    resources: named(fc.record<Observed>({ resource, connectionDetails: details })),
  }),
  desired: fc.record({
    composite: fc.option(resource, { nil: undefined }),
    compositeReady: ready,
    resources: named(fc.record<Desired>({ resource, ready })),
  }),
  context: object,
  required: named(fc.array(resource, { maxLength: 3 })),
});

describe('a request', () => {
  test('arrives as it was sent, whatever it contains', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const arrived = over(request);
        expect(withBuffers(arrived)).toEqual(withBuffers(request));
      }),
    );
  });

  test('shares nothing with its bytes, so that a function cannot change the response by mistake', () => {
    const desired = new Map([['x', { resource: { ...XR }, ready: 'True' as const }]]);
    const message = incoming(encodeRequest({ ...EMPTY, desired: { ...EMPTY.desired, resources: desired } }));
    const first = requestIn(message);
    Object.assign(first.desired.resources.get('x')!.resource, { kind: 'Changed' });
    Object.assign(first.observed.composite, { kind: 'Changed' });
    const second = requestIn(message);
    expect(second.desired.resources.get('x')?.resource).toEqual(XR);
    expect(second.observed.composite).toEqual(XR);
  });

  test('has its resources in the order of their names, whatever their order in the message', () => {
    const observed = ['c', 'a', 'b'].map((key): [string, Observed] => [key, { resource: XR, connectionDetails: {} }]);
    const request = over({ ...EMPTY, observed: { composite: XR, resources: new Map(observed) } });
    expect([...request.observed.resources.keys()]).toEqual(['a', 'b', 'c']);
  });

  test('distinguishes "requested and absent" from "not requested yet"', () => {
    const { required } = over({ ...EMPTY, required: new Map([['absent', []]]) });
    expect(required.get('absent')).toEqual([]);
    expect(required.get('other')).toBeUndefined();
  });

  test.for([
    { name: 'the same version, its fields in another order, is read once', required: VERSION, same: true },
    { name: 'another version is another object', required: { ...VERSION, resourceVersion: '8' }, same: false },
    { name: 'an object without a version may be any', required: { name: 'a', uid: 'u' }, same: false },
  ])('an object that is observed and required: $name', ({ required: metadata, same }) => {
    const observed: KubeObject = { apiVersion: 'v1', kind: 'Thing', metadata: VERSION, spec: { a: 1 } };
    const listed: KubeObject = { spec: { a: 1 }, metadata, kind: 'Thing', apiVersion: 'v1' };
    const request = over({
      ...EMPTY,
      observed: { composite: XR, resources: new Map([['x', { resource: observed, connectionDetails: {} }]]) },
      required: new Map([['all', [listed]]]),
    });
    expect(request.observed.resources.get('x')?.resource === request.required.get('all')?.[0]).toBe(same);
    expect(request.observed.resources.get('x')?.resource).toEqual(observed);
  });

  test('has no desired XR in the first step, as with Crossplane, until a step sets it', () => {
    expect(RunFunctionRequest.decode(encodeRequest(EMPTY)).desired?.composite).toBeUndefined();
    const spoken = RunFunctionRequest.decode(
      encodeRequest({ ...EMPTY, desired: { ...EMPTY.desired, compositeReady: 'False' } }),
    );
    expect(spoken.desired?.composite).toBeDefined();
  });

  test('without an XR, or with a resource that is not an object, is refused', () => {
    const message = RunFunctionRequest.decode(encodeRequest(EMPTY));
    const bytes = (change: object) => RunFunctionRequest.encode(RunFunctionRequest.fromPartial(change)).finish();
    expect(() => decodeRequest(bytes({ ...message, observed: undefined }))).toThrow(
      'cannot read the request: it has no observed composite resource',
    );
    const bare = bytes({ ...message, desired: { resources: { x: {} } } });
    expect(() => decodeRequest(bare)).toThrow(expect.objectContaining({ code: 'BrokenContract' }));
  });
});

describe('a response', () => {
  test('arrives as it was built', () => {
    const reply = new Reply(EMPTY, ANSWERS_FOR_NOTHING)
      .compose('x', XR, true)
      .compose('y', { ...XR, kind: 'Other' }, false)
      .status({ phase: 'Running', list: [1, null, { a: true }] })
      .condition('Yes', true, 'Because')
      .condition('No', false, 'Because', 'one line')
      .condition('Maybe', 'Unknown', 'Because')
      .event('Normal', 'Started', 'it began')
      .event('Warning', 'Odd', 'it is odd')
      .context('example.org/plan', { steps: [] })
      .notReady()
      .ttl(7);
    reply.require('one', { apiVersion: 'v1', kind: 'Secret', namespace: 'team-a', matchName: 'ca' });
    reply.require('many', { apiVersion: 'v1', kind: 'Secret', matchLabels: { a: 'b' } });
    expect(answered(EMPTY, reply)).toEqual({
      desired: {
        composite: { apiVersion: 'v1', kind: 'XR', status: { phase: 'Running', list: [1, null, { a: true }] } },
        compositeReady: 'False',
        resources: new Map([
          ['x', { resource: XR, ready: 'True' }],
          ['y', { resource: { ...XR, kind: 'Other' }, ready: 'False' }],
        ]),
      },
      conditions: [
        { type: 'Yes', status: 'True', reason: 'Because' },
        { type: 'No', status: 'False', reason: 'Because', message: 'one line' },
        { type: 'Maybe', status: 'Unknown', reason: 'Because' },
      ],
      results: [
        { severity: 'Normal', reason: 'Started', message: 'it began' },
        { severity: 'Warning', reason: 'Odd', message: 'it is odd' },
      ],
      requirements: new Map([
        ['one', { apiVersion: 'v1', kind: 'Secret', namespace: 'team-a', matchName: 'ca' }],
        ['many', { apiVersion: 'v1', kind: 'Secret', matchLabels: { a: 'b' } }],
      ]),
      context: { 'example.org/plan': { steps: [] } },
      ttl: 7,
    });
  });

  test('has the tag of its request, and no requirements when there are none, because Crossplane would call again', () => {
    const response = RunFunctionResponse.decode(encoded(EMPTY, new Reply(EMPTY, ANSWERS_FOR_NOTHING)));
    expect(response.meta?.tag).toBe('t');
    expect(response.requirements).toBeUndefined();
  });

  test('desires only the status of the XR', () => {
    const request = { ...EMPTY, desired: { ...EMPTY.desired, composite: XR } };
    expect(answered(request, new Reply(request, ANSWERS_FOR_NOTHING)).desired.composite).toEqual({
      apiVersion: 'v1',
      kind: 'XR',
      status: { b: 2 },
    });
  });

  test.for([0.5, 1.25, 600])('has a time to live of %d seconds, including fractions', (ttl) => {
    const data = { ...new Reply(EMPTY, ANSWERS_FOR_NOTHING).build(), ttl };
    expect(decodeAnswer(encodeReply(incoming(encodeRequest(EMPTY)), XR, data)).ttl).toBe(ttl);
  });
});

/** Bytes of any class, as Buffers, so that they can be compared. */
function withBuffers(request: Request): Request {
  const resources = [...request.observed.resources].map(([key, { resource, connectionDetails }]) => {
    const asBuffers = Object.entries(connectionDetails).map(([name, value]) => [name, Buffer.from(value)] as const);
    return [key, { resource, connectionDetails: Object.fromEntries(asBuffers) }] as const;
  });
  return { ...request, observed: { ...request.observed, resources: new Map(resources) } };
}
