/**
 * Server-side apply as in Kubernetes: who owns which fields, and what is removed when an owner no longer applies it.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../schema/node.ts';
import { Ledger, applier, updater } from './ledger.ts';

const A = applier('a');
const B = applier('b');
const PERSON = updater('person');

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    keyed: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: { type: 'string' }, value: { type: 'string' } } },
    },
    indexed: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['index'],
      items: { type: 'object', properties: { index: { type: 'string', default: '0' } } },
    },
    set: { type: 'array', 'x-kubernetes-list-type': 'set' },
    atomic: { type: 'array' },
    whole: { type: 'object', 'x-kubernetes-map-type': 'atomic' },
  },
};

type Write = readonly [manager: string, value: unknown];

/** Runs writes one after the other; a writer whose name begins with `update` replaces the whole object. */
function after(...writes: readonly Write[]): { value: unknown; ledger: Ledger } {
  return writes.reduce<{ value: unknown; ledger: Ledger }>(
    ({ value, ledger }, [manager, written]) =>
      manager.startsWith('update')
        ? { value: written, ledger: ledger.update(value, written, manager, SCHEMA) }
        : ledger.apply(value, written, manager, SCHEMA),
    { value: {}, ledger: new Ledger() },
  );
}

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly writes: readonly Write[];
  readonly want: unknown;
}

const CASES: readonly Case[] = [
  {
    name: 'RemovesWhatItsOnlyOwnerDrops',
    reason: 'a manager that no longer applies a field removes it',
    writes: [
      [A, { x: 1, y: 2 }],
      [A, { x: 1 }],
    ],
    want: { x: 1 },
  },
  {
    name: 'RemovesTheEmptyContainerToo',
    reason: 'the object existed only for the field',
    writes: [
      [A, { outer: { inner: { leaf: 1 } }, x: 1 }],
      [A, { x: 1 }],
    ],
    want: { x: 1 },
  },
  {
    name: 'KeepsWhatAnotherOwnsAsWell',
    reason: 'both applied the same value; one of them still wants it',
    writes: [
      [A, { x: 1 }],
      [B, { x: 1 }],
      [A, {}],
    ],
    want: { x: 1 },
  },
  {
    name: 'TakesAFieldByForce',
    reason: 'Crossplane forces conflicts; the loser no longer owns the field and cannot take it away',
    writes: [
      [A, { x: 1 }],
      [B, { x: 2 }],
      [A, {}],
    ],
    want: { x: 2 },
  },
  {
    name: 'LeavesWhatNobodyApplied',
    reason: 'a provider set it by late initialization, and the XR never owned it',
    writes: [
      [A, { spec: { forProvider: { cidr: '10.0.0.0/16' } } }],
      [PERSON, { spec: { forProvider: { cidr: '10.0.0.0/16', tenancy: 'default' } } }],
      [A, { spec: { forProvider: { cidr: '10.0.0.0/16' } } }],
    ],
    want: { spec: { forProvider: { cidr: '10.0.0.0/16', tenancy: 'default' } } },
  },
  {
    name: 'TakesBackWhatWasEditedByHand',
    reason: 'an edit of an applied field lasts until the next apply',
    writes: [
      [A, { x: 1 }],
      [PERSON, { x: 5 }],
      [A, { x: 1 }],
    ],
    want: { x: 1 },
  },
  {
    name: 'MergesKeyedListsByKey',
    reason: 'two managers own different items of one list',
    writes: [
      [A, { keyed: [{ name: 'a', value: '1' }] }],
      [B, { keyed: [{ name: 'b', value: '2' }] }],
    ],
    want: {
      keyed: [
        { name: 'a', value: '1' },
        { name: 'b', value: '2' },
      ],
    },
  },
  {
    name: 'RemovesADroppedItem',
    reason: 'only the item, not its neighbours',
    writes: [
      [A, { keyed: [{ name: 'a', value: '1' }, { name: 'b' }] }],
      [B, { keyed: [{ name: 'c' }] }],
      [A, { keyed: [{ name: 'b' }] }],
    ],
    want: { keyed: [{ name: 'b' }, { name: 'c' }] },
  },
  {
    name: 'KnowsAnItemByTheDefaultOfItsKey',
    reason: 'a default set by the API server must not create a second item',
    writes: [
      [A, { indexed: [{ type: 'forward' }] }],
      [PERSON, { indexed: [{ type: 'forward', index: '0', arn: 'resolved' }] }],
      [A, { indexed: [{ type: 'forward' }] }],
    ],
    want: { indexed: [{ type: 'forward', index: '0', arn: 'resolved' }] },
  },
  {
    name: 'UnitesSets',
    reason: 'each manager owns the values it applied',
    writes: [
      [A, { set: ['a', 'b'] }],
      [B, { set: ['b', 'c'] }],
      [A, { set: ['a'] }],
    ],
    want: { set: ['a', 'b', 'c'] },
  },
  {
    name: 'ReplacesAtomicLists',
    reason: 'a list without keys has one owner',
    writes: [
      [A, { atomic: [1, 2] }],
      [B, { atomic: [3] }],
    ],
    want: { atomic: [3] },
  },
  {
    name: 'ReplacesAtomicMaps',
    reason: 'the schema says so',
    writes: [
      [A, { whole: { a: 1 } }],
      [A, { whole: { b: 2 } }],
    ],
    want: { whole: { b: 2 } },
  },
  {
    name: 'KeepsAnEmptyMapThatIsApplied',
    reason: 'an empty object can be intended',
    writes: [
      [A, { tags: { a: '1' }, x: 1 }],
      [A, { tags: {}, x: 1 }],
    ],
    want: { tags: {}, x: 1 },
  },
  {
    name: 'ChangesAScalarIntoAnObject',
    reason: 'the applied value wins whatever its type was',
    writes: [
      [A, { x: 'text' }],
      [A, { x: { deep: 1 } }],
    ],
    want: { x: { deep: 1 } },
  },
];

test.for(CASES)('$name: $reason', ({ writes, want }) => {
  expect(after(...writes).value).toEqual(want);
});

test('an update owns what it changed, and a removed field has no owner', () => {
  const { ledger } = after([A, { x: 1, y: 1, z: 1 }], [PERSON, { x: 2, y: 1 }]);
  expect(ledger.managersOf('.x\n')).toEqual([PERSON]);
  expect(ledger.managersOf('.y\n')).toEqual([A]);
  expect(ledger.managersOf('.z\n')).toEqual([]);
});

describe('for any objects', () => {
  const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean());
  const key = fc.constantFrom('a', 'b', 'c', 'd');
  const tree: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    node: fc.oneof({ depthSize: 'small' }, leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(key, tie('node'))),
  })).node;
  const object = fc.dictionary(key, tree);

  test('applying twice equals applying once', () => {
    fc.assert(
      fc.property(object, object, (live, applied) => {
        const once = after([PERSON, live], [A, applied]);
        const twice = once.ledger.apply(once.value, applied, A, SCHEMA);
        expect(twice.value).toEqual(once.value);
      }),
    );
  });

  test('applied values are in the result', () => {
    fc.assert(
      fc.property(object, object, (live, applied) => {
        expect(after([PERSON, live], [A, applied]).value).toMatchObject(applied);
      }),
    );
  });

  test('two managers of different fields may apply in any order', () => {
    fc.assert(
      fc.property(object, object, (left, right) => {
        const [a, b] = [{ left }, { right }];
        const one = after([A, a], [B, b]);
        const other = after([B, b], [A, a]);
        expect(one.value).toEqual(other.value);
        expect(one.ledger.apply(one.value, {}, A, SCHEMA).value).toEqual(after([B, b]).value);
      }),
    );
  });

  test('applying nothing removes everything that was only applied', () => {
    fc.assert(
      fc.property(object, (applied) => {
        expect(after([A, applied], [A, {}]).value).toEqual({});
      }),
    );
  });
});
