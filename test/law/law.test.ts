/**
 * No response releases more machines than the budget allows, whatever is wrong with the request. `npm run law` tries
 * for longer.
 */
import { expect, test } from 'vitest';
import { type Tried, tryBySeed } from './run.ts';

const SEEDS = 40;

test('no response removes more machines than the budget allows, however wrong the request', async () => {
  const tried: Tried[] = [];
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const one = await tryBySeed(seed);
    expect(one.broken, `again: npm run law -- --seed ${seed}`).toBeUndefined();
    tried.push(one);
  }
  const sum = (count: 'answered' | 'refused' | 'unlawful' | 'gone'): number =>
    tried.reduce((total, one) => total + one[count], 0);
  expect(sum('answered'), 'most are answered, otherwise this test proves nothing').toBeGreaterThan(sum('refused'));
  expect(sum('gone'), 'machines are released, otherwise this test proves nothing').toBeGreaterThan(100);
  expect(sum('unlawful'), 'the law itself refuses some, otherwise this test proves nothing about it').toBeGreaterThan(
    0,
  );
});
