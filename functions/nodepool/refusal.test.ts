/** Edits that the API server refuses now but accepted before it had the rule: the pool keeps its machines. */
import { expect, test } from 'vitest';
import { aNodePool } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { made, request } from './pool.fixture.ts';

test('another cluster is refused for a pool that has machines, and accepted for one that has none', async () => {
  const pool = aNodePool({ spec: { clusterRef: { name: 'other' } } });
  const machines = await made(aNodePool());
  await expect(replyOf(run, request({ pool, machines }))).rejects.toThrow(
    'cannot accept NodePool "team-a/general": spec.clusterRef.name: "other" is not accepted; accepted: prod, since nodes cannot move to another cluster',
  );
  expect((await replyOf(run, request({ pool }))).conditions.length).toBeGreaterThan(0);
});
