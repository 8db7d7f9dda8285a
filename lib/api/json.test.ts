import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { at, canonical, sameJson, stringAt } from './json.ts';

test('canonical text is JSON that means the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('equal values have equal text whatever the order of their keys, and different values do not', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (value, other) => {
      const turned = Object.fromEntries(Object.entries(value).toReversed());
      expect(canonical(turned)).toBe(canonical(value));
      expect(sameJson(value, other)).toBe(canonical(value) === canonical(other));
    }),
  );
  expect(sameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true);
  expect(sameJson({ a: null }, {})).toBe(false);
  expect(sameJson([1, 2], [2, 1])).toBe(false);
});

const object = { spec: { a: { b: 'x' }, empty: '', list: [1], zero: 0 } };

test.for([
  { name: 'a value', path: ['spec', 'a', 'b'], want: 'x' },
  { name: 'a falsy value', path: ['spec', 'zero'], want: 0 },
  { name: 'a missing step', path: ['spec', 'x', 'b'], want: undefined },
  { name: 'a step into a string', path: ['spec', 'a', 'b', 'length'], want: undefined },
  { name: 'a step into a list', path: ['spec', 'list', 'length'], want: undefined },
  { name: 'a property that every object inherits', path: ['spec', 'constructor'], want: undefined },
])('a path to $name', ({ path, want }) => {
  expect(at(object, ...path)).toBe(want);
});

test('an empty string counts as no text, because clouds write one where they have nothing to report', () => {
  expect(stringAt(object, 'spec', 'empty')).toBeUndefined();
  expect(stringAt(object, 'spec', 'zero')).toBeUndefined();
  expect(stringAt(object, 'spec', 'a', 'b')).toBe('x');
});
