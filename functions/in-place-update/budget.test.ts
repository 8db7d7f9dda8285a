import { expect, test } from 'vitest';
import { aNodePool } from '../../test/support/claims.ts';
import { budgetOf, termsOf } from './budget.ts';

test.each([
  {
    maxSurge: 0,
    maxUnavailable: '25%',
    replicas: 3,
    most: 3,
    least: 2,
    why: 'a percentage of few machines rounds down to none: at least one, or nothing could ever change',
  },
  { maxSurge: '0%', maxUnavailable: '25%', replicas: 4, most: 4, least: 3, why: 'down' },
  {
    maxSurge: '25%',
    maxUnavailable: '25%',
    replicas: 3,
    most: 4,
    least: 3,
    why: 'maxSurge rounds up, maxUnavailable rounds down',
  },
  { maxSurge: 1, maxUnavailable: 0, replicas: 3, most: 4, least: 3, why: 'numbers are used as they are' },
])('$maxSurge and $maxUnavailable of $replicas: from $least to $most ($why)', (given) => {
  const { maxSurge, maxUnavailable, replicas, most, least } = given;
  const pool = aNodePool({ spec: { replicas, update: { maxSurge, maxUnavailable } } });
  const { maxTotal, minAvailable } = budgetOf(termsOf(pool), replicas, 0);
  expect([minAvailable, maxTotal]).toEqual([least, most]);
});
