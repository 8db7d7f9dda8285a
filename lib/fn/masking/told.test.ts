import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { aRequest } from '../../../test/support/request.ts';
import { ANSWERS_FOR_NOTHING } from '../law.ts';
import { Reply } from '../reply.ts';
import { errorWithoutSecrets, withoutSecrets } from './told.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const SECRET: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'app', namespace: 'team-a' },
  data: { password: base64('fake-pass'), cluster: base64('prod'), file: base64('{"key": "fake-in-json"') },
};
const XR: KubeObject = {
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'Machine',
  metadata: { name: 'one', namespace: 'team-a' },
  spec: { clusterRef: { name: 'prod' } },
};
const REQUEST = aRequest({ composite: XR, required: { app: [SECRET] } });

describe('what a function tells', () => {
  test('has no value of a Secret, and keeps words of the claim', () => {
    const reply = new Reply(REQUEST, ANSWERS_FOR_NOTHING);
    reply.condition('Ready', false, 'Wrong', `cannot use fake-pass or ${base64('a fake-pass')} for prod`);
    reply.event('Warning', 'Wrong', 'cannot use "fake-pass"');
    const { conditions, events } = withoutSecrets(reply.build(), REQUEST);
    expect(conditions.map(({ message }) => message)).toContain('cannot use masked or masked for prod');
    expect(events.map(({ message }) => message)).toEqual(['cannot use "masked"']);
  });

  test('is the same reply if there is none in it', () => {
    const reply = new Reply(REQUEST, ANSWERS_FOR_NOTHING)
      .condition('Ready', false, 'Waiting', 'waiting for app')
      .build();
    expect(withoutSecrets(reply, REQUEST)).toEqual(reply);
  });

  test('has none in errors and stacks that quote what was read', () => {
    let thrown: unknown;
    try {
      JSON.parse('{"key": "fake-in-json"');
    } catch (error) {
      thrown = new Error(`cannot read {"key": "fake-in-json"`, { cause: error });
    }
    const { message, stack, cause } = errorWithoutSecrets(thrown, REQUEST);
    expect(`${message} ${stack} ${(cause as Error).stack}`).not.toContain('fake-in-json');
    expect(message).toContain('cannot read masked');
  });

  test('is masked as a whole if a call has more Secrets than can be looked for', () => {
    const told = (bytes: number): readonly (string | undefined)[] => {
      const many = { ...SECRET, data: { many: base64('x'.repeat(bytes)) } };
      const request = aRequest({ composite: XR, required: { app: [SECRET, many] } });
      const reply = new Reply(request, ANSWERS_FOR_NOTHING);
      reply.condition('Ready', false, 'Waiting', 'waiting for app');
      reply.condition('Healthy', true, 'Well');
      return withoutSecrets(reply.build(), request).conditions.map(({ message }) => message);
    };
    expect(told(1024 * 1024)).toEqual(expect.arrayContaining(['waiting for app']));
    expect(told(2 * 1024 * 1024)).toEqual(expect.arrayContaining(['masked']));
    expect(told(2 * 1024 * 1024)).not.toContain('waiting for app');
  });
});
