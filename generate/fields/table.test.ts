import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { duration } from '#lib/api/fields/text.ts';
import { anyObject, secret } from '#lib/api/schema/rules.ts';
import { fieldTable } from './table.ts';

/** The cells of the rows, without the padding. */
function rowsOf(schema: z.ZodType): readonly (readonly string[])[] {
  return fieldTable(schema)
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const acceptedBy = (schema: z.ZodType) => rowsOf(z.strictObject({ field: schema }))[0]?.[1];

describe('the accepted values of a field', () => {
  const https = z.string().regex(/^https:/, { error: 'is no URL; accepted: an https URL' });
  it.for([
    { of: 'a text', schema: z.string().min(1), says: 'string' },
    { of: 'a text with a form', schema: https, says: 'an https URL' },
    {
      of: 'a duration',
      schema: duration().default('30m'),
      says: 'hours, minutes and seconds such as 90s, 10m or 1h30m',
    },
    {
      of: 'the narrowest of two checks',
      schema: https.refine(() => true, { error: 'no; accepted: mine' }),
      says: 'mine',
    },
    { of: 'words', schema: z.enum(['once', 'always']), says: '`once`, `always`' },
    { of: 'words YAML reads otherwise', schema: z.enum(['1.13', 'off', 'yes']), says: '`"1.13"`, `"off"`, `"yes"`' },
    { of: 'one word', schema: z.literal('Machine'), says: '`Machine`' },
    { of: 'a number between bounds', schema: z.int().min(1).max(64), says: 'integer from 1 to 64' },
    { of: 'a number of a machine', schema: z.int().min(-1).max(2_147_483_647), says: 'integer from -1' },
    { of: 'any whole number', schema: z.int(), says: 'integer' },
    { of: 'yes or no', schema: z.boolean(), says: 'boolean' },
    { of: 'a list', schema: z.array(z.string()).min(1).max(7), says: 'list of strings, at least 1, at most 7' },
    { of: 'a list of a form', schema: z.array(https).max(2), says: 'list, at most 2, each: an https URL' },
    {
      of: 'a list of lists',
      schema: z.array(z.array(z.string()).min(1)).min(1),
      says: 'list of lists of strings, at least 1',
    },
    { of: 'a map', schema: z.record(z.string(), z.string()), says: 'map of strings' },
    {
      of: 'a map of lists',
      schema: z.record(z.string(), z.array(z.string()).max(7)),
      says: 'map of lists of strings, at most 7',
    },
    { of: 'somebody else’s object', schema: anyObject(), says: 'any object' },
    {
      of: 'one of two',
      schema: z.union([anyObject(), z.array(anyObject())]),
      says: 'any object, or list of any objects',
    },
  ])('$of: $says', ({ schema, says }) => {
    expect(acceptedBy(schema)).toBe(says);
  });
});

test('a field inside has a row of its own, with its path', () => {
  const inner = z.strictObject({ name: z.string() });
  const schema = z.strictObject({ one: inner, list: z.array(inner), map: z.record(z.string(), inner) });
  expect(rowsOf(schema).map(([path]) => path)).toEqual(
    ['one', 'one.name', 'list', 'list[].name', 'map', 'map.<name>.name'].map((path) => `\`${path}\``),
  );
});

test('the meaning of a missing field is in the table, except for an empty list', () => {
  const schema = z.strictObject({
    needed: z.string(),
    not: z.string().optional(),
    word: z.enum(['a', 'off']).default('off'),
    count: z.int().default(2),
    blocks: z.array(z.string()).prefault(['0.0.0.0/0']),
    none: z.array(z.string()).prefault([]),
    nothing: z.strictObject({}).prefault({}),
  });
  expect(rowsOf(schema).map(([, , given]) => given)).toEqual([
    'required',
    '',
    '`"off"`',
    '`2`',
    '`["0.0.0.0/0"]`',
    '',
    '',
  ]);
});

describe('the meaning', () => {
  const meaning = (schema: z.ZodType) => rowsOf(z.strictObject({ field: schema }))[0]?.[3];

  it('is that of the schema, and says whether a field holds secrets', () => {
    expect(meaning(secret(z.string()).describe('The key.'))).toBe('The key. Holds secrets.');
  });

  it('shows as code only words that it explains', () => {
    const schema = z.enum(['Plain', 'Sealed']).describe('How. Plain: in clear. Sealed: not Plain.');
    expect(meaning(schema)).toBe('How. `Plain`: in clear. `Sealed`: not Plain.');
  });

  it('stays in its cell whatever characters it contains', () => {
    expect(meaning(z.string().describe('<cluster>-etcd | [*]'))).toBe(String.raw`\<cluster>-etcd \| [\*]`);
  });
});
