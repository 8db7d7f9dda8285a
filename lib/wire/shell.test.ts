import { Writable } from 'node:stream';
import { RunFunctionResponse } from '@crossplane-org/function-sdk-typescript';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { Refusal } from '#lib/api/contracts/refusal.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { ANSWERS_FOR_NOTHING } from '#lib/fn/law.ts';
import { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { answer, MAX_ANSWER_BYTES } from './shell.ts';
import { decodeAnswer } from './answer.ts';
import { encodeRequest } from './request.ts';

const XR: KubeObject = { apiVersion: 'v1', kind: 'XR', metadata: { name: 'one' }, spec: { password: 'hunter2' } };
const REQUEST: Request = {
  meta: { tag: 't' },
  input: undefined,
  observed: { composite: XR, resources: new Map() },
  desired: {
    composite: undefined,
    compositeReady: 'Unspecified',
    resources: new Map([['x', { resource: XR, ready: 'True' }]]),
  },
  context: {},
  required: new Map(),
};
const WORLD = { now: new Date(0), randomBytes: (length: number) => new Uint8Array(length) };

/** The response as its caller receives it, and all log lines. */
async function call(run: CompositionFunction, ttl?: number) {
  const log: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(chunk.toString());
      done();
    },
  });
  const shell = { run, logger: pino({ level: 'debug' }, sink), ttl };
  const bytes = encodeRequest(REQUEST);
  const { bytes: encoded, outcome } = await answer(shell, bytes, WORLD);
  const message = RunFunctionResponse.decode(encoded);
  return { outcome, size: encoded.length, message, answer: decodeAnswer(encoded), log: log.join('') };
}

describe('errors in a function', () => {
  test('a change of its request does not reach the response', async () => {
    const { answer, outcome } = await call((request) => {
      Object.assign(request.desired.resources.get('x')!.resource, { kind: 'Changed' });
      (request.desired.resources as Map<string, unknown>).delete('x');
      throw new SlipwayError('InvalidClaim', 'cannot accept it');
    });
    expect(outcome).toBe('refused');
    expect([...answer.desired.resources]).toEqual([...REQUEST.desired.resources]);
  });

  test.for<{ name: string; run: CompositionFunction }>([
    { name: 'throws a value that is not an error', run: () => Promise.reject('a secret') },
    { name: 'rejects because of a bug', run: async () => Promise.reject(new Error('a secret')) },
    { name: 'returns nothing', run: () => undefined as unknown as Reply },
    {
      name: 'desires a value that is not JSON',
      run: (request) => new Reply(request, ANSWERS_FOR_NOTHING).status({ a: 1n as unknown as number }),
    },
    {
      name: 'desires JSON with a cycle',
      run: (request) => {
        const endless: Record<string, unknown> = {};
        endless['self'] = endless;
        return new Reply(request, ANSWERS_FOR_NOTHING).status(endless as Record<string, never>);
      },
    },
  ])('when it $name, the caller gets one line without internal details', async ({ run }) => {
    const { answer, outcome, log } = await call(run);
    const message = 'cannot answer: an internal error; see the log of the function';
    expect(outcome).toBe('failed');
    expect(answer.results).toEqual([{ severity: 'Fatal', reason: 'Internal', message }]);
    expect(answer.conditions).toEqual([{ type: 'ClaimAccepted', status: 'False', reason: 'Internal', message }]);
    expect(log).toContain('"msg":"call failed"');
    expect(log, 'requests are never logged').not.toContain('hunter2');
  });
});

test('a refusal keeps its tag and its code, and is not logged as an error', async () => {
  const { answer, message, log } = await call(() => {
    throw new SlipwayError('MissingReference', 'cannot find Cluster "team-a/prod"');
  });
  expect(message.meta?.tag).toBe('t');
  expect(answer.results).toEqual([
    { severity: 'Fatal', reason: 'MissingReference', message: 'cannot find Cluster "team-a/prod"' },
  ]);
  expect(log).not.toContain('"level":50');
});

describe('beside a fatal result', () => {
  test('there is data for programs, so that none has to parse the message', async () => {
    const { answer } = await call(() => {
      throw refusal('Cluster "team-a/prod"', 'spec.region', 'moon', 'a region of the cloud');
    });
    expect(Refusal.parse(answer.context[CONTEXT.refusal])).toEqual({
      contract: 1,
      field: 'spec.region',
      reason: '"moon" is not accepted; accepted: a region of the cloud',
      absentSecrets: [],
    });
  });

  test('there is no data for a bug, because users cannot act on it', async () => {
    const { answer } = await call(() => Promise.reject(new Error('a secret')));
    expect(answer.context).not.toHaveProperty([CONTEXT.refusal]);
  });
});

describe('a response', () => {
  test.for([
    { reason: 'a settled one has the value of the flag', ready: true, ttl: 77, want: 77 },
    { reason: 'one in progress keeps its own value', ready: false, ttl: 77, want: 10 },
    { reason: 'no flag, no change', ready: true, ttl: undefined, want: 600 },
  ])('has a time to live of $want s: $reason', async ({ ready, ttl, want }) => {
    const { answer } = await call((request) => new Reply(request, ANSWERS_FOR_NOTHING).compose('a', XR, ready), ttl);
    expect(answer.ttl).toBe(want);
  });

  test('of the maximum size is refused, and one byte less is sent', async () => {
    const sized = (padding: number) =>
      call((request) => new Reply(request, ANSWERS_FOR_NOTHING).status({ padding: 'x'.repeat(padding) }));
    const near = await sized(MAX_ANSWER_BYTES - 1000);
    const rest = MAX_ANSWER_BYTES - near.size;
    expect((await sized(MAX_ANSWER_BYTES - 1000 + rest - 1)).outcome).toBe('accepted');
    expect((await sized(MAX_ANSWER_BYTES - 1000 + rest)).outcome).toBe('refused');
  });
});
