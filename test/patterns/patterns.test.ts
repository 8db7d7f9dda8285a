/** No regular expression of ours takes longer than in proportion to its text, or says why it may. */
import { expect, test } from 'vitest';
import { patternsFound } from './found.ts';
import { EXCEPTED, linear } from './golden.ts';

const found = await patternsFound();

test('every expression of the product is linear, or an exception with a reason', () => {
  expect(found.size).toBeGreaterThan(400);
  const known = new Set([...linear(), ...EXCEPTED]);
  const unknown = [...found].filter(([expression]) => !known.has(expression));
  expect(unknown, 'recheck was not asked about it; run: npm run patterns').toEqual([]);
});

test('expressions that are no longer there are in no list', () => {
  const gone = [...linear(), ...EXCEPTED].filter((expression) => !found.has(expression));
  expect(gone, 'npm run patterns removes it from golden/linear.txt; exceptions.ts is written by hand').toEqual([]);
});
