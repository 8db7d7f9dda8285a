/** The codec and the SDK of Crossplane see the same in every message. `npm run wire` tries more. */
import { expect, test } from 'vitest';
import { type Tried, tryMessage } from './try.ts';

const MESSAGES = 3000;

test(`${MESSAGES} messages, most of them changed, mean the same to both`, () => {
  const tried: Tried[] = [];
  for (let seed = 1; seed <= MESSAGES; seed += 1) tried.push(tryMessage(seed));
  expect(tried.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
  const refused = tried.filter((one) => one.refused).length;
  expect(refused, 'some are refused, otherwise this proves nothing').toBeGreaterThan(MESSAGES / 20);
  expect(refused, 'most are read').toBeLessThan(MESSAGES / 2);
});
