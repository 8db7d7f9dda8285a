import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UnsetFields } from './fields.ts';

/** Each key with its value, and what the fields of the object in it are. */
type Entries = readonly (readonly [string, number | Entries])[];

const { entries } = fc.letrec<{ entries: Entries }>((tie) => ({
  entries: fc.array(
    fc.tuple(
      fc.string({ maxLength: 3 }).filter((key) => key !== '__proto__'),
      fc.oneof({ maxDepth: 3 }, fc.nat(), tie('entries')),
    ),
    { maxLength: 90 },
  ),
}));

type Tree = { [key: string]: number | Tree };

function set(unset: UnsetFields<number | Tree>, fields: Entries): Tree {
  const begin = unset.begin();
  for (const [key, value] of fields) unset.add(key, typeof value === 'number' ? value : set(unset, value));
  const object: Record<string, number | Tree | undefined> = {};
  unset.setOn(object, begin);
  return object as Tree;
}

const plain = (fields: Entries): Tree =>
  Object.fromEntries(fields.map(([key, value]) => [key, typeof value === 'number' ? value : plain(value)]));

/** Integers come first in every object of JavaScript. */
const texts = (object: Tree): readonly string[] => Object.keys(object).filter((key) => !/^\d+$/.test(key));

test('whatever is set is what was added, of two values of a key the last one', () => {
  fc.assert(
    fc.property(entries, (fields) => {
      expect(set(new UnsetFields(), fields)).toEqual(plain(fields));
    }),
  );
});

test('an object has the same order of fields in whatever order they came', () => {
  const few = fc.uniqueArray(
    fc.string({ maxLength: 4 }).filter((key) => key !== '__proto__'),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(few, (keys) => {
      const object = set(
        new UnsetFields(),
        keys.map((key) => [key, 1]),
      );
      expect(texts(object)).toEqual(texts(object).toSorted());
    }),
  );
});

test('what a message that could not be read has left is not set on the next object', () => {
  const unset = new UnsetFields<number | Tree>();
  unset.begin();
  unset.add('left', 1);
  unset.clear();
  expect(set(unset, [['a', 2]])).toEqual({ a: 2 });
});

test('a key that would set the prototype is left out', () => {
  const object = set(new UnsetFields(), [
    ['__proto__', []],
    ['a', 1],
  ]);
  expect([Object.getPrototypeOf(object), object]).toEqual([Object.prototype, { a: 1 }]);
});
