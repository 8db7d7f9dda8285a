/**
 * Names of machines, which are names of hosts, of Nodes and of objects in every cloud: pools of a namespace share none,
 * and each is one that a host may have.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aNodePool } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { composed, request } from './pool.fixture.ts';

const HOST_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const LONGEST = 63 - '-1999-xxxxx'.length;

/** Names that end as names of machines begin, and the longest ones. */
const pool = fc.oneof(
  fc.stringMatching(/^[a-z](-?[a-z0-9]){0,6}$/),
  fc.stringMatching(/^[ab](-[01])?(-[bcdf]{5})?$/),
  fc.stringMatching(/^[a-z]([-a-z0-9]{0,50}[a-z0-9])?$/).map((name) => name.padStart(LONGEST, 'l').slice(-LONGEST)),
);

const namesOf = async (name: string, replicas: number): Promise<readonly string[]> => {
  const { metadata, ...rest } = aNodePool({ spec: { replicas } });
  const claim = { ...rest, metadata: { ...metadata, name } };
  return composed(await replyOf(run, request({ pool: claim }))).map((machine) => machine.metadata?.name ?? '');
};

test('two pools share no name of a machine, and every name is one of a host', async () => {
  await fc.assert(
    fc.asyncProperty(pool, pool, fc.integer({ min: 1, max: 12 }), async (one, other, replicas) => {
      fc.pre(one !== other);
      const names = [...(await namesOf(one, replicas)), ...(await namesOf(other, replicas))];
      expect(names).toHaveLength(2 * replicas);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(HOST_NAME);
    }),
    { numRuns: 60, examples: [['a', 'a-0', 3]] },
  );
});
