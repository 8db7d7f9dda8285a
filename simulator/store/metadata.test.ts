/** What kubectl refuses of metadata is refused here, with what is accepted. */
import { expect, test } from 'vitest';
import type { ObjectMeta } from '#lib/api/json.ts';
import { anXr, anXrd } from '../fake-functions.fixture.ts';
import { applyOnce } from '../render/apply-once.ts';

const XRD = anXrd('App', { type: 'object', properties: {} });
const LIVE = { ...anXr('App', 'one', {}), metadata: { name: 'one', namespace: 'team-a', labels: { kept: 'yes' } } };

function refused(metadata: object, live?: typeof LIVE): readonly string[] {
  const app = { ...anXr('App', 'one', {}), metadata: { name: 'one', namespace: 'team-a', ...metadata } as ObjectMeta };
  const applied = applyOnce(app, live, XRD);
  return 'stored' in applied ? [] : applied.refused.map(({ path, message }) => `${path}: ${message}`);
}

const FIELDS = 'annotations, finalizers, generateName, labels, name, namespace, ownerReferences';

test.for([
  [{ lables: { a: 'b' } }, `metadata.lables: unknown field; accepted: ${FIELDS}; did you mean "labels"?`],
  [{ anotations: {} }, `metadata.anotations: unknown field; accepted: ${FIELDS}; did you mean "annotations"?`],
  [{ nmae: 'x' }, `metadata.nmae: unknown field; accepted: ${FIELDS}; did you mean "name"?`],
  [{ 'a b': 'x' }, `metadata["a b"]: unknown field; accepted: ${FIELDS}`],
  [{ labels: { a: 1 } }, 'metadata.labels.a: 1 is not accepted; accepted: a string in quotes: "1"'],
  [{ labels: { a: null } }, 'metadata.labels.a: null is not accepted; accepted: a string'],
  [{ labels: { a: { b: 'c' } } }, 'metadata.labels.a: an object is not accepted; accepted: a string'],
  [{ labels: 'a=b' }, 'metadata.labels: "a=b" is not accepted; accepted: an object'],
  [{ labels: ['a'] }, 'metadata.labels: a list of 1 item is not accepted; accepted: an object'],
  [{ annotations: { a: true } }, 'metadata.annotations.a: true is not accepted; accepted: a string in quotes: "true"'],
  [{ annotations: 'x' }, 'metadata.annotations: "x" is not accepted; accepted: an object'],
  [{ labels: { a: 'x y' } }, 'metadata.labels.a: "x y" is not accepted; accepted: at most 63 letters, '],
  [{ labels: { 'a b': 'x' } }, 'metadata.labels: the key "a b" is not accepted; accepted: a name '],
  [{ labels: { 'Example.com/a': 'x' } }, 'metadata.labels: the key "Example.com/a" is not accepted'],
  [{ annotations: { 'a/b/c': 'x' } }, 'metadata.annotations: the key "a/b/c" is not accepted'],
] as const)('%j is refused, of a new object and of one that exists', ([metadata, line]) => {
  for (const live of [undefined, LIVE]) {
    const said = refused(metadata, live);
    expect(said).toEqual([expect.stringContaining(line)]);
  }
});

test.for([
  {},
  { labels: null, annotations: null },
  { labels: { a: '', 'example.com/a': 'x' }, annotations: { 'Example.com/a': 'any text: {}' } },
  // As kubectl get -o yaml prints it.
  {
    uid: 'u',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: null,
    deletionTimestamp: null,
    deletionGracePeriodSeconds: 0,
    selfLink: '/x',
    managedFields: [],
    ownerReferences: [],
    finalizers: ['example.com/a'],
    generateName: 'one-',
  },
])('%j is accepted', (metadata) => {
  expect(refused(metadata)).toEqual([]);
  expect(refused(metadata, LIVE)).toEqual([]);
});
