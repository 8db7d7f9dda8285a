/** How a plan reports a refusal: it uses the code and the data of the refusal, never the text of the message. */
import { describe, expect, it, test } from 'vitest';
import { refusalOf } from '#lib/api/contracts/refusal.ts';
import { type ErrorCode, SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { parseAs } from '#lib/api/parse.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { aComposition, aConfigMap, anXr, anXrd, FakeFunctions, want } from '#simulator/fake-functions.fixture.ts';
import { z } from 'zod';
import { runXr } from './rendering.ts';

const SECRET = { namespace: 'team-a', name: 'one-ca' };

/** A pipeline whose second step is refused. */
async function refusedBy(error: SlipwayError, more: { objects?: readonly KubeObject[]; handsOn?: boolean } = {}) {
  const { objects = [], handsOn = true } = more;
  const { caller } = new FakeFunctions({
    first: () => ({ resources: { a: want(aConfigMap('a')) } }),
    second: () => ({
      results: [{ severity: 'Fatal', reason: error.code, message: error.message }],
      context: handsOn ? { [CONTEXT.refusal]: refusalOf(error) } : {},
    }),
  });
  const world = {
    objects,
    definitions: [anXrd('App')],
    compositions: [aComposition('App', 'first', 'second')],
    functions: caller,
    now: new Date(0),
  };
  const xr = anXr('App', 'one', { crossplane: { compositionRef: { name: 'app' } } });
  const run = await runXr(world, xr);
  return 'refusal' in run ? run.refusal : run.rendered.composed.map(({ metadata }) => metadata?.name);
}

const unreadable = (absentSecrets?: readonly (typeof SECRET)[]): SlipwayError =>
  new SlipwayError('UnreadableSecret', 'no words anybody reads', absentSecrets === undefined ? {} : { absentSecrets });

describe('a step that lacks a Secret', () => {
  it('is left out when the Secret is not among the observed objects, because a plan reads no Secrets', async () => {
    expect(await refusedBy(unreadable([SECRET]))).toEqual(['a']);
  });

  it('is reported as refused when the Secret was available, or when the Secret itself is wrong', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: SECRET };
    expect(await refusedBy(unreadable([SECRET]), { objects: [secret] })).toMatchObject({ step: 'second' });
    expect(await refusedBy(unreadable())).toMatchObject({ step: 'second' });
  });
});

test.for<{ code: ErrorCode; field: string; reason: string; why: string }>([
  { code: 'InvalidClaim', field: 'spec.size', reason: 'is odd', why: 'the author of the claim corrects it' },
  { code: 'Unsupported', field: 'spec.size', reason: 'is odd', why: 'the author of the claim corrects this one, too' },
  {
    code: 'InvalidInput',
    field: '',
    reason: 'cannot accept It: spec.size: is odd',
    why: 'it is not a field of the claim',
  },
])('$code is about field "$field": $why', async ({ code, field, reason }) => {
  expect(await refusedBy(refusalFor('It', 'spec.size', 'is odd', code))).toEqual({ step: 'second', field, reason });
});

test('is about the field of another object, if that has it', async () => {
  const object = { kind: 'EnvironmentConfig', name: 'ours' };
  const error = new SlipwayError('InvalidInput', 'any', { field: 'data.class', reason: 'unknown field', object });
  const refusal = { field: 'data.class of EnvironmentConfig "ours"', reason: 'unknown field' };
  expect(await refusedBy(error)).toEqual({ step: 'second', ...refusal });
});

test('names the first of several fields, and lists the others in the reason', async () => {
  const read = (): unknown => parseAs(z.object({ a: z.string(), b: z.string() }), {}, 'It');
  const [thrown] = [read].map((run) => {
    try {
      return run();
    } catch (error) {
      return error;
    }
  });
  expect(await refusedBy(SlipwayError.from(thrown))).toEqual({
    step: 'second',
    field: 'a',
    reason: 'is required; accepted: a string; b: is required; accepted: a string',
  });
});

test('quotes the whole message of a function that returns nothing but a message', async () => {
  const error = refusalFor('It', 'spec.size', 'is odd');
  const reason = 'cannot accept It: spec.size: is odd';
  expect(await refusedBy(error, { handsOn: false })).toEqual({ step: 'second', field: '', reason });
});
