import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { takingEmptyListsAway, withoutEmpties, withoutEmptyLists } from './empties.ts';

const object = (apiVersion: string, forProvider: JsonObject) => ({ apiVersion, kind: 'A', spec: { forProvider } });

test('a rendered field that is empty is left out at any depth, with what is empty without it', () => {
  const given = { a: [], b: {}, c: null, d: { e: { f: [] } }, g: [{ h: [], i: 1 }, null], j: false, k: 0, l: '' };
  expect(withoutEmpties(given)).toEqual({ g: [{ i: 1 }], j: false, k: 0, l: '' });
});

test('an item of a list stays, also if nothing is left in it: its place counts', () => {
  expect(withoutEmpties({ a: [{ b: [] }, { c: 1 }] })).toEqual({ a: [{}, { c: 1 }] });
});

test('what exists is desired without empty lists and null; a block without fields stays', () => {
  const seen = object('compute.azure.m.upbound.io/v1beta1', {
    a: [],
    b: null,
    bootDiagnostics: {},
    c: { d: [], e: 1 },
  });
  expect(withoutEmptyLists(seen).spec?.['forProvider']).toEqual({ bootDiagnostics: {}, c: { e: 1 } });
});

test.for(['helm.m.crossplane.io/v1beta1', 'kubernetes.m.crossplane.io/v1alpha1', 'v1'])(
  'an empty list in the values or the manifest of %s stays: it means something there',
  (apiVersion) => {
    const add = object(apiVersion, { values: { tolerations: [] } });
    expect(withoutEmptyLists(add)).toEqual(add);
  },
);

test('an override that empties a list takes it away', () => {
  const patch = { spec: { forProvider: { a: [], b: { c: [] }, d: {}, e: [1] } } };
  expect(takingEmptyListsAway(patch)).toEqual({ spec: { forProvider: { a: null, b: { c: null }, d: {}, e: [1] } } });
});
