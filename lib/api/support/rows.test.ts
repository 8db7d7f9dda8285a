/** Every field of a claim has a row: a new one has to say who makes something of it, or which flavours refuse it. */
import { describe, expect, test } from 'vitest';
import { claimLeaves, valuesAt } from './judge.ts';
import { leavesOf } from './leaves.ts';
import { type ClaimKind, ROWS } from './rows.ts';
import { z } from 'zod';

const KINDS: readonly ClaimKind[] = ['Cluster', 'NodePool', 'Machine'];

describe.for(KINDS)('%s', (kind) => {
  const placed = ROWS.flatMap(({ places }) => places[kind] ?? []);

  test('each field of the schema has one row, and each row a field', () => {
    expect(placed.toSorted()).toEqual(
      claimLeaves(kind)
        .map(({ path }) => path)
        .toSorted(),
    );
  });
});

test('rows have names of their own', () => {
  const names = ROWS.map(({ field, by }) => `${by ?? ''} ${field}`);
  expect(names).toEqual([...new Set(names)]);
});

test('a field is what has no fields of its own, with the value that stands for none', () => {
  const schema = z.object({
    plain: z.string().optional(),
    size: z.int().default(40),
    words: z.array(z.string()).prefault([]),
    items: z.array(z.object({ name: z.string(), deep: z.object({ on: z.boolean().default(false) }).prefault({}) })),
    map: z.record(z.string(), z.string()),
  });
  expect(leavesOf(schema, 'spec')).toEqual([
    { path: 'spec.plain', otherwise: undefined },
    { path: 'spec.size', otherwise: 40 },
    { path: 'spec.words', otherwise: [] },
    { path: 'spec.items[].name', otherwise: undefined },
    { path: 'spec.items[].deep.on', otherwise: false },
    { path: 'spec.map', otherwise: undefined },
  ]);
});

test('values are found in every item of a list', () => {
  const document = { spec: { items: [{ a: 1 }, {}, { a: 2 }] } };
  expect(valuesAt(document, 'spec.items[].a')).toEqual([
    { path: 'spec.items[0].a', value: 1 },
    { path: 'spec.items[2].a', value: 2 },
  ]);
});
