import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { mergePatch, patched } from './merge-patch.ts';

test('an unchanged object gives no patch', () => {
  expect(mergePatch({ a: { b: [1] } }, { a: { b: [1] } })).toBeUndefined();
});

test('a removed field is null, and a changed list is complete', () => {
  expect(mergePatch({ a: 1, b: [1, 2], c: { d: 1, e: 2 } }, { b: [2], c: { d: 1 } })).toEqual({
    a: null,
    b: [2],
    c: { e: null },
  });
});

/** A merge patch cannot set null, so values contain none. */
const value = fc.letrec<{ object: JsonObject; any: string | number | readonly number[] | JsonObject }>((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, fc.string(), fc.integer(), fc.array(fc.integer()), tie('object')),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'), {
    noNullPrototype: true,
  }),
})).object;

test('applying a patch to the old object gives the new one', () => {
  fc.assert(
    fc.property(value, value, (before, after) => {
      expect(patched(before, mergePatch(before, after))).toEqual(after);
    }),
  );
});
