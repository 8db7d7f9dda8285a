import { describe, expect, it, test } from 'vitest';
import { type JsonObject, type KubeObject, at } from '#lib/api/json.ts';
import { anXr, anXrd } from '../fake-functions.fixture.ts';
import { applyOnce } from './apply-once.ts';

const XRD = anXrd('App', {
  type: 'object',
  required: ['image'],
  properties: {
    image: { type: 'string' },
    replicas: { type: 'integer', minimum: 0, default: 1 },
    region: {
      type: 'string',
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'cannot be changed: it cannot move' }],
    },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
});
const refs = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }];
const live: KubeObject = {
  ...anXr('App', 'one', {
    image: 'a',
    replicas: 3,
    region: 'here',
    labels: { team: 'a' },
    crossplane: {
      compositionSelector: { matchLabels: { a: 'a' } },
      compositionRef: { name: 'app' },
      resourceRefs: refs,
    },
  }),
  metadata: { name: 'one', namespace: 'team-a', uid: 'u', labels: { kept: 'yes' }, annotations: {} },
  status: { phase: 'Running' },
};

function stored(spec: JsonObject, before: KubeObject | undefined = live): KubeObject {
  const applied = applyOnce(anXr('App', 'one', spec), before, XRD);
  if ('stored' in applied) return applied.stored;
  throw new Error(JSON.stringify(applied.refused));
}

describe('applying a claim without a cluster', () => {
  it('applies the whole claim: a missing field is removed or gets its default', () => {
    const { spec } = stored({ image: 'b', region: 'here' });
    expect(spec).toMatchObject({ image: 'b', replicas: 1 });
    expect(spec).not.toHaveProperty('labels');
  });

  it('keeps fields of others: identity, labels, status, and the fields of Crossplane', () => {
    const after = stored({
      image: 'b',
      region: 'here',
      crossplane: { compositionSelector: { matchLabels: { a: 'b' } } },
    });
    expect(after.metadata).toMatchObject({ uid: 'u', labels: { kept: 'yes' } });
    expect(after.status).toEqual(live.status);
    expect(at(after, 'spec', 'crossplane')).toMatchObject({
      compositionSelector: { matchLabels: { a: 'b' } },
      compositionRef: { name: 'app' },
      resourceRefs: refs,
    });
  });

  it('keeps the replicas of an autoscaler, unless the claim sets them', () => {
    const managedFields = [{ manager: 'hpa', subresource: 'scale', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }];
    const scaled = { ...live, metadata: { ...live.metadata, managedFields } };
    expect(stored({ image: 'a', region: 'here' }, scaled).spec?.['replicas']).toBe(3);
    expect(stored({ image: 'a', region: 'here', replicas: 5 }, scaled).spec?.['replicas']).toBe(5);
  });

  it('creates an object that does not exist, without rules about changes', () => {
    const applied = applyOnce(anXr('App', 'one', { image: 'a', region: 'there' }), undefined, XRD);
    expect(applied).toMatchObject({ stored: { spec: { replicas: 1, region: 'there' } } });
  });

  test.for([
    {
      name: 'an immutable field',
      spec: { image: 'a', region: 'there' },
      path: 'spec.region',
      said: 'cannot be changed',
    },
    { name: 'a missing field', spec: { region: 'here' }, path: 'spec.image', said: 'is required' },
    { name: 'a typo', spec: { image: 'a', region: 'here', replica: 1 }, path: 'spec.replica', said: 'unknown field' },
    {
      name: 'a wrong value',
      spec: { image: 'a', region: 'here', replicas: -1 },
      path: 'spec.replicas',
      said: 'at least 0',
    },
  ])('is refused with the field and what is accepted: $name', ({ spec, path, said }) => {
    expect(applyOnce(anXr('App', 'one', spec), live, XRD)).toMatchObject({
      refused: [{ path, message: expect.stringContaining(said) as string }],
      wanted: { kind: 'App' },
    });
  });
});
