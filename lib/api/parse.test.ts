import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SlipwayError } from './errors.ts';
import type { Json } from './json.ts';
import { parseAs, parseObject } from './parse.ts';
import { intOrPercent, secret, withRule } from './schema/rules.ts';

const Item = z.strictObject({ name: z.string().min(1).max(5), key: secret(z.string().max(3)).optional() });
const Document = z.strictObject({
  size: z.int().min(1).max(9).default(3),
  even: withRule(z.int(), { cel: 'self % 2 == 0', holds: (n) => n % 2 === 0, message: 'must be even' }).optional(),
  mode: z.enum(['fast', 'slow']).default('fast'),
  items: z.array(Item).max(2).prefault([]),
  marks: z.record(z.string().max(4), z.string()).prefault({}),
  budget: intOrPercent().optional(),
  pattern: z.string().regex(/^a+$/).optional(),
  sum: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { error: 'is not accepted; accepted: 64 hexadecimal digits' })
    .optional(),
  tag: z
    .string()
    .regex(/^v[0-9]+$/, { error: 'is not accepted; accepted: v and a number' })
    .optional(),
  data: z.base64().optional(),
  hidden: secret(z.base64()).optional(),
  shape: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('round'), radius: z.int() }),
      z.strictObject({ kind: z.literal('square'), side: z.int(), mark: secret(z.literal('x')).optional() }),
    ])
    .optional(),
  nested: z.strictObject({ deep: z.strictObject({ flag: z.boolean() }) }).optional(),
  name: z.string(),
});

function lineOf(given: Json): string {
  try {
    parseAs(Document, given, 'Thing "team-a/x"', 'InvalidInput');
  } catch (thrown) {
    const { code, message } = SlipwayError.from(thrown);
    return code === 'InvalidInput' ? message.replace('cannot accept Thing "team-a/x": ', '') : code;
  }
  return 'accepted';
}

describe('one line has field, value and what is accepted', () => {
  test.for<{ given: Json; want: string }>([
    { given: { name: 'a' }, want: 'accepted' },
    { given: {}, want: 'name: is required; accepted: a string' },
    { given: { name: 'a', shape: {} }, want: 'shape.kind: is required; accepted: round, square' },
    { given: null, want: 'null is not accepted; accepted: an object such as {name: <name>}' },
    { given: [], want: 'an empty list is not accepted; accepted: an object such as {name: <name>}' },
    { given: { name: 7 }, want: 'name: 7 is not accepted; accepted: a string in quotes: "7"' },
    { given: { name: { a: 'b' } }, want: 'name: an object is not accepted; accepted: a string' },
    {
      given: { name: 'a', sice: 1 },
      want: 'sice: unknown field; accepted: budget, data, even, hidden, items, marks, mode, name, nested, pattern, shape, size, sum, tag; did you mean "size"?',
    },
    {
      given: { name: 'a', items: [{ name: 'b', nmae: 1 }] },
      want: 'items[0].nmae: unknown field; accepted: key, name; did you mean "name"?',
    },
    {
      given: { name: 'a', nested: { deep: { flag: true, flog: 1 } } },
      want: 'nested.deep.flog: unknown field; accepted: flag',
    },
    { given: { name: 'a', size: 0 }, want: 'size: 0 is not accepted; accepted: at least 1' },
    { given: { name: 'a', size: 1.5 }, want: 'size: 1.5 is not accepted; accepted: a whole number' },
    // Digits without quotes are a number, which may have lost some of them.
    {
      given: { name: 'a', sum: Number('0123456789'.repeat(6) + '0123') },
      want: 'sum: 1.2345678901234569e+62 is not accepted; accepted: 64 hexadecimal digits, in quotes',
    },
    { given: { name: 'a', sum: 'abc' }, want: 'sum: "abc" is not accepted; accepted: 64 hexadecimal digits' },
    { given: { name: 'a', sum: true }, want: 'sum: true is not accepted; accepted: 64 hexadecimal digits' },
    { given: { name: 'a', tag: 7 }, want: 'tag: 7 is not accepted; accepted: v and a number' },
    { given: { name: 'a', size: '3' }, want: 'size: "3" is not accepted; accepted: a number without quotes' },
    { given: { name: 'a', even: 3 }, want: 'even: 3 must be even' },
    { given: { name: 'a', mode: 'quick' }, want: 'mode: "quick" is not accepted; accepted: fast, slow' },
    {
      given: { name: 'a', items: [{ name: '' }] },
      want: 'items[0].name: "" is not accepted; accepted: at least 1 character',
    },
    {
      given: { name: 'a', items: [{ name: 'abcdef' }] },
      want: 'items[0].name: "abcdef" is not accepted; accepted: at most 5 characters',
    },
    {
      given: { name: 'a', items: [{ name: 'a' }, { name: 'a' }, { name: 'a' }] },
      want: 'items: a list of 3 items is not accepted; accepted: at most 2 items',
    },
    {
      given: { name: 'a', items: {} },
      want: 'items: an object is not accepted; accepted: a list such as [{name: <name>}]',
    },
    {
      given: { name: 'a', marks: { abcde: 'x' } },
      want: 'marks.abcde: its key is not accepted; accepted: at most 4 characters',
    },
    {
      given: { name: 'a', marks: { 'a/b': 1 } },
      want: 'marks["a/b"]: 1 is not accepted; accepted: a string in quotes: "1"',
    },
    {
      given: { name: 'a', budget: -1 },
      want: 'budget: -1 is not accepted; accepted: a whole number from 0, without quotes, or a percentage such as 25%',
    },
    {
      given: { name: 'a', budget: '101%' },
      want: 'budget: "101%" is not accepted; accepted: a whole number from 0, without quotes, or a percentage such as 25%',
    },
    {
      given: { name: 'a', budget: true },
      want: 'budget: true is not accepted; accepted: a whole number from 0, without quotes, or a percentage such as 25%',
    },
    { given: { name: 'a', pattern: 'b' }, want: 'pattern: "b" is not accepted; accepted: text that matches /^a+$/' },
    { given: { name: 'a', data: '***' }, want: 'data: "***" is not accepted; accepted: text in base64' },
    {
      given: { name: 'a', shape: { kind: 'oval' } },
      want: 'shape.kind: "oval" is not accepted; accepted: round, square',
    },
    {
      given: { name: 'a', nested: { deep: { flag: 'yes' } } },
      want: 'nested.deep.flag: "yes" is not accepted; accepted: true or false',
    },
    {
      given: { name: 'x'.repeat(9), size: 10, mode: 'x'.repeat(100) },
      want: `mode: "${'x'.repeat(55)}..." is not accepted; accepted: fast, slow; size: 10 is not accepted; accepted: at most 9`,
    },
    {
      given: { size: 10, mode: 1, even: 1 },
      want: 'even: 1 must be even; mode: 1 is not accepted; accepted: fast, slow; name: is required; accepted: a string; and 1 more',
    },
  ])('$want', ({ given, want }) => {
    expect(lineOf(given)).toBe(want);
  });
});

describe('a secret is never shown', () => {
  test.for<{ given: Json; want: string }>([
    {
      given: { name: 'a', items: [{ name: 'b', key: 'hunter2' }] },
      want: 'items[0].key: its value is not accepted; accepted: at most 3 characters',
    },
    {
      given: { name: 'a', items: [{ name: 'b', key: ['hunter2'] }] },
      want: 'items[0].key: a list of 1 item is not accepted; accepted: a string',
    },
    {
      given: { name: 'a', shape: 'hunter2' },
      want: 'shape: its value is not accepted; accepted: an object such as {kind: round, radius: 1}',
    },
    { given: 'hunter2', want: 'its value is not accepted; accepted: an object such as {name: <name>}' },
    { given: { name: 'a', hidden: 'hunter2*' }, want: 'hidden: its value is not accepted; accepted: text in base64' },
    {
      given: { name: 'a', shape: { kind: 'square', side: 1, mark: 'hunter2' } },
      want: 'shape.mark: its value is not accepted; accepted: x',
    },
  ])('$want', ({ given, want }) => {
    expect(lineOf(given)).toBe(want);
  });
});

test('of more than a hundred unknown fields, no more are compared with those that are known: a claim may have 100,000', () => {
  const others = Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`zz${n}`, 1]));
  expect(lineOf({ name: 'a', ...others, sice: 1 })).toMatch(
    /^sice: unknown field; .*, tag; did you mean "size"\?; zz0: /,
  );
  expect(lineOf({ name: 'a', ...others, zz99: 1, sice: 1 })).toMatch(/^sice: unknown field; .*, tag; zz0: /);
});

test('the same errors in another order of keys give the same line', () => {
  expect(lineOf({ mode: 1, size: 10 })).toBe(lineOf({ size: 10, mode: 1 }));
});

test('of an object that others wrote, programs are told which one has the field', () => {
  const object = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x', namespace: 'team-a' }, size: 'big' };
  const read = (): unknown => parseObject(z.looseObject({ size: z.int() }), object, 'InvalidInput');
  expect(read).toThrow(
    expect.objectContaining({
      message: 'cannot accept Thing "team-a/x": size: "big" is not accepted; accepted: a number',
      object: { kind: 'Thing', namespace: 'team-a', name: 'x' },
      field: 'size',
    }),
  );
});
