/** The API server in memory: versions, generations, finalizers, schemas, and writes without changes. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { Dice } from '../clock/dice.ts';
import { Scheduler } from '../clock/scheduler.ts';
import { ApiError } from './api-error.ts';
import { defineBuiltins } from './builtins.ts';
import { kindOfCrd } from './definitions.ts';
import { metaOf } from './object.ts';
import { type Change, Store } from './store.ts';

const CRD: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boxes.example.org' },
  spec: {
    group: 'example.org',
    scope: 'Namespaced',
    names: { kind: 'Box', plural: 'boxes' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: { type: 'integer', minimum: 1, maximum: 9 },
                  color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
                  lid: { type: 'object', properties: { tight: { type: 'boolean', default: true } } },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
              status: { type: 'object', properties: { full: { type: 'boolean' } } },
            },
          },
        },
      },
    ],
  },
};

const REF = { apiVersion: 'example.org/v1', kind: 'Box', namespace: 'ns', name: 'one' };
const aBox = (spec: Readonly<Record<string, unknown>> = { size: 1 }): KubeObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Box',
  metadata: { name: 'one', namespace: 'ns' },
  spec: spec as NonNullable<KubeObject['spec']>,
});

let clock: Scheduler;
let store: Store;
let changes: Change[];

beforeEach(() => {
  clock = new Scheduler(new Date('2026-01-01T00:00:00Z'));
  store = new Store(clock, new Dice(1));
  defineBuiltins(store.kinds);
  store.kinds.define(kindOfCrd(CRD));
  changes = [];
  store.onChange((change) => changes.push(change));
});

function reasonOf(action: () => unknown): string {
  try {
    action();
  } catch (thrown) {
    if (ApiError.is(thrown)) return `${thrown.reason}: ${thrown.message}`;
    throw thrown;
  }
  return 'accepted';
}

describe('a write', () => {
  test('gets its defaults and an identity', () => {
    const made = store.apply(aBox({ size: 2, lid: {} }), { manager: 'a' });
    expect(made.spec).toEqual({ size: 2, color: 'red', lid: { tight: true } });
    expect(made.metadata).toMatchObject({ generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' });
    expect(metaOf(made).uid).toMatch(/^[0-9a-f]{8}-/);
  });

  test('that changes nothing causes no event and no new version', () => {
    const first = store.apply(aBox(), { manager: 'a' });
    expect(store.apply(aBox(), { manager: 'a' })).toBe(first);
    expect(store.apply(aBox(), { manager: 'b' })).toBe(first);
    expect(store.update(first, 'c')).toBe(first);
    expect(changes).toHaveLength(1);
  });

  test('of the spec increments the generation; of labels or status it does not', () => {
    const first = store.apply(aBox(), { manager: 'a' });
    const labelled = store.update({ ...first, metadata: { ...first.metadata, labels: { a: 'b' } } }, 'p');
    const reported = store.updateStatus({ ...labelled, status: { full: true } }, 'p');
    expect(metaOf(reported).generation).toBe(1);
    expect(metaOf(store.apply(aBox({ size: 3 }), { manager: 'a' })).generation).toBe(2);
  });

  test('of the body does not change the status, and the other way round', () => {
    const first = store.apply({ ...aBox(), status: { full: true } }, { manager: 'a' });
    expect(first.status).toBeUndefined();
    const reported = store.updateStatus({ ...first, spec: { size: 9 }, status: { full: true } }, 'p');
    expect(reported).toMatchObject({ spec: { size: 1 }, status: { full: true } });
    expect(store.update({ ...reported, status: {} }, 'p').status).toEqual({ full: true });
  });

  test('for a uid that is gone, or that of another object, is a conflict and creates nothing', () => {
    const own = { ...aBox(), metadata: { ...aBox().metadata, uid: 'gone' } };
    expect(reasonOf(() => store.apply(own, { manager: 'a' }))).toMatch(/^Conflict: uid mismatch/);
    expect(store.find(REF)).toBeUndefined();
    const uid = metaOf(store.apply(aBox(), { manager: 'a' })).uid ?? '';
    expect(reasonOf(() => store.apply(own, { manager: 'a' }))).toMatch(/^Conflict: uid mismatch/);
    expect(() => store.apply({ ...own, metadata: { ...own.metadata, uid } }, { manager: 'a' })).not.toThrow();
  });

  test('with an old version is a conflict', () => {
    const old = store.apply(aBox(), { manager: 'a' });
    store.apply(aBox({ size: 2 }), { manager: 'a' });
    expect(reasonOf(() => store.update(old, 'p'))).toMatch(/^Conflict/);
  });

  test.for([
    [aBox({}), 'Invalid: Box.example.org "one" is invalid: spec.size: is required (integer)'],
    [
      aBox({ size: 0 }),
      'Invalid: Box.example.org "one" is invalid: spec.size: 0 is not accepted; accepted: at least 1',
    ],
    [
      aBox({ size: 1, color: 'green' }),
      'Invalid: Box.example.org "one" is invalid: spec.color: "green" is not accepted; accepted: "red", "blue"',
    ],
    [
      aBox({ size: 'big' }),
      'Invalid: Box.example.org "one" is invalid: spec.size: "big" is not accepted; accepted: a whole number',
    ],
    [
      aBox({ size: 1, colour: 'red' }),
      'BadRequest: failed to create typed patch object (ns/one; example.org/v1, Kind=Box): .spec.colour: field not declared in schema',
    ],
    [aBox({ size: 1, free: { any: ['thing'] } }), 'accepted'],
  ] as const)('is validated against the schema %#', ([object, want]) => {
    expect(reasonOf(() => store.apply(object, { manager: 'a' }))).toBe(want);
    expect(store.find(REF) === undefined).toBe(want !== 'accepted');
  });

  test('by a user with an unknown field names what is accepted', () => {
    expect(reasonOf(() => store.apply(aBox({ size: 1, colour: 'red' }), { manager: 'kubectl', strict: true }))).toBe(
      'Invalid: Box.example.org "one" is invalid: spec.colour: unknown field; accepted: color, free, lid, size; did you mean "color"?',
    );
  });

  test('without strict validation drops an unknown field', () => {
    const first = store.apply(aBox(), { manager: 'a' });
    expect(store.update({ ...first, spec: { size: 1, odd: true } }, 'p').spec).toEqual({ size: 1, color: 'red' });
  });

  test('with two controllers is refused', () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', controller: true };
    const owners = [
      { ...owner, uid: '1' },
      { ...owner, uid: '2' },
    ];
    const box = { ...aBox(), metadata: { ...aBox().metadata, ownerReferences: owners } };
    expect(reasonOf(() => store.apply(box, { manager: 'a' }))).toMatch(/only one reference can have controller/);
  });

  test('of an unknown kind is reported', () => {
    expect(reasonOf(() => store.apply({ ...aBox(), kind: 'Crate' }, { manager: 'a' }))).toBe(
      'NotFound: no matches for kind "Crate" in version "example.org/v1"',
    );
  });
});

describe('a deletion', () => {
  test('removes an object without finalizers', () => {
    store.apply(aBox(), { manager: 'a' });
    store.delete(REF);
    expect(store.find(REF)).toBeUndefined();
    expect(changes.map(({ type }) => type)).toEqual(['created', 'deleted']);
  });

  test('waits for finalizers', () => {
    const box = store.apply({ ...aBox(), metadata: { ...aBox().metadata, finalizers: ['keep'] } }, { manager: 'a' });
    store.delete(REF);
    const going = store.get(REF);
    expect(going.metadata).toMatchObject({ deletionTimestamp: '2026-01-01T00:00:00Z', generation: 2 });
    store.update({ ...going, metadata: { ...box.metadata, finalizers: [], resourceVersion: undefined } as never }, 'p');
    expect(store.find(REF)).toBeUndefined();
  });

  test('of another object under the same name is refused', () => {
    store.apply(aBox(), { manager: 'a' });
    expect(reasonOf(() => store.delete(REF, { uid: 'other' }))).toMatch(/^Conflict/);
  });

  test('and a new creation give another uid', () => {
    const first = store.apply(aBox(), { manager: 'a' });
    store.delete(REF);
    const second = store.apply(aBox(), { manager: 'a' });
    expect(metaOf(second).uid).not.toBe(metaOf(first).uid);
  });
});

const secret = (data: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', namespace: 'ns' },
  type: 'cluster.x-k8s.io/secret',
  immutable: true,
  data,
});

describe('a Secret', () => {
  test('that is immutable keeps its data', () => {
    store.apply(secret({ a: 'eA==' }), { manager: 'a' });
    expect(reasonOf(() => store.apply(secret({ a: 'eQ==' }), { manager: 'a' }))).toMatch(
      /^Invalid: .*data: field is immutable/,
    );
  });

  test('holds base64 only', () => {
    expect(reasonOf(() => store.apply(secret({ a: 'not base64!' }), { manager: 'a' }))).toMatch(
      /data\["a"\]: is not base64/,
    );
  });

  test('takes text and keeps it as data', () => {
    const { data: _data, immutable: _immutable, ...rest } = secret({});
    const made = store.apply({ ...rest, stringData: { a: 'x' } }, { manager: 'a' });
    expect(made).toMatchObject({ data: { a: 'eA==' } });
    expect(made['stringData']).toBeUndefined();
  });
});
