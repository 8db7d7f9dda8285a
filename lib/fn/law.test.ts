import { describe, expect, it } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { aRequest } from '../../test/support/request.ts';
import { ANSWERS_FOR_NOTHING, keeps, type Law } from './law.ts';
import { Reply } from './reply.ts';

const XR: KubeObject = {
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'prod', namespace: 'a' },
};
const secret = (name: string, metadata: KubeObject['metadata'] = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'a', ...metadata },
});

const KEEPS = keeps(({ object }) => object.kind === 'Secret');
const reply = (law: Law, observed: Readonly<Record<string, KubeObject>>): Reply =>
  new Reply(aRequest({ composite: XR, observed }), law);

describe('a response that would remove a protected object', () => {
  it('is not sent, and the error names what it would have removed', () => {
    expect(() => reply(KEEPS, { ca: secret('prod-ca'), sa: secret('prod-sa') }).build()).toThrow(
      'cannot answer for Cluster "a/prod": it would remove Secret "a/prod-ca", Secret "a/prod-sa": none of them may be removed while the claim exists',
    );
  });

  it.each([
    ['nothing is desired in its place', undefined],
    ['the object desired in its place has another name', secret('other')],
    ['the object desired in its place is of another kind', { ...secret('prod-ca'), kind: 'ConfigMap' }],
  ])('is one in which %s', (_why, desired) => {
    const answer = reply(KEEPS, { ca: secret('prod-ca') });
    if (desired !== undefined) answer.compose('ca', desired, true);
    expect(() => answer.build()).toThrow(expect.objectContaining({ code: 'UnlawfulRemoval' }));
  });

  it.each([
    ['it stays', 'ca', secret('prod-ca')],
    ['it is desired by another version of its API', 'ca', { ...secret('prod-ca'), apiVersion: 'v2' }],
    ['it is desired without a name', 'ca', { apiVersion: 'v1', kind: 'Secret', metadata: {} }],
  ])('is not one in which %s', (_why, key, desired) => {
    expect(
      reply(KEEPS, { ca: secret('prod-ca') })
        .compose(key, desired, true)
        .build().resources.size,
    ).toBe(1);
  });

  it('is not one that omits objects being deleted anyway, or objects of another step', () => {
    expect(
      reply(KEEPS, { ca: secret('prod-ca', { deletionTimestamp: '2026-01-01T00:00:00Z' }) }).build().resources.size,
    ).toBe(0);
    expect(reply(KEEPS, { pod: { ...secret('x'), kind: 'Pod' } }).build().resources.size).toBe(0);
    expect(reply(ANSWERS_FOR_NOTHING, { ca: secret('prod-ca') }).build().resources.size).toBe(0);
  });

  it('is checked with the removed, the remaining and the desired objects', () => {
    const law: Law = {
      answersFor: () => true,
      objection: ({ gone, staying, desired }) =>
        `${gone.map(({ key }) => key).join()} go, ${staying.map(({ key }) => key).join()} stay, ${[...desired.keys()].join()} desired`,
    };
    const answer = reply(law, { a: secret('a'), b: secret('b') })
      .compose('b', secret('b'), true)
      .compose('c', secret('c'), true);
    expect(() => answer.build()).toThrow('a go, b stay, b,c desired');
  });
});
