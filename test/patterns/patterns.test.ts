/**
 * No regular expression of ours takes longer than in proportion to its text, or says why it may. Expressions that recheck
 * called linear are recorded, because it takes seconds for some: `npx vitest run test/patterns -u` records new ones.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import { expect, test } from 'vitest';
import { EXCEPTIONS } from './exceptions.ts';
import { patternsFound } from './found.ts';

const EXCEPTED = new Set(Object.values(EXCEPTIONS).flat());
const RECORD = join(import.meta.dirname, 'golden/linear.txt');
const TIMEOUT = 20_000;

/** What is wrong with it; undefined: nothing. */
async function faultOf(pattern: string): Promise<string | undefined> {
  const end = pattern.lastIndexOf('/');
  const verdict = await check(pattern.slice(1, end), pattern.slice(end + 1), { timeout: TIMEOUT });
  if (verdict.status === 'safe') return undefined;
  return verdict.status === 'unknown'
    ? `recheck gives up: ${verdict.error.kind}`
    : `${verdict.complexity.summary}: ${verdict.attack.pattern}`;
}

test('recheck finds what grows with the square or more, and accepts what does not', async () => {
  expect(await faultOf('/^(a+)+$/')).toMatch(/exponential/);
  expect(await faultOf('/-+$/')).toMatch(/2nd degree polynomial/);
  expect(await faultOf(String(/^(a|[0-9a-z.]+\/[0-9.]+|[^,]+)(,(a|[0-9a-z.]+\/[0-9.]+|[^,]+))*=$/))).toMatch(
    /exponential/,
  );
  expect(await faultOf('/^a+b$/')).toBeUndefined();
});

test('no expression of the product is slow on any text', async () => {
  const found = await patternsFound();
  expect(found.size).toBeGreaterThan(400);
  const known = new Set(readFileSync(RECORD, 'utf8').split('\n'));
  const slow: string[] = [];
  for (const [pattern, file] of found) {
    if (known.has(pattern) || EXCEPTED.has(pattern)) continue;
    const fault = await faultOf(pattern);
    if (fault !== undefined) slow.push(`${file}: ${pattern}: ${fault}`);
  }
  expect(slow).toEqual([]);
  const linear = [...found.keys()].filter((pattern) => !EXCEPTED.has(pattern)).toSorted();
  await expect(`${linear.join('\n')}\n`).toMatchFileSnapshot(RECORD);
  expect(
    [...EXCEPTED].filter((pattern) => !found.has(pattern)),
    'no longer there',
  ).toEqual([]);
});
