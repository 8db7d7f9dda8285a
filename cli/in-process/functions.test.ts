import { expect, it } from 'vitest';
import { Reply } from '#lib/fn/reply.ts';
import { ANSWERS_FOR_NOTHING } from '#lib/fn/law.ts';
import { aNodePool } from '../../test/support/claims.ts';
import { aRequest } from '../../test/support/request.ts';
import { callerOf } from './functions.ts';

/** A function that composes that many objects with a text of that length. */
const composing = (count: number, length: number) =>
  callerOf(() =>
    Promise.resolve({
      run: (request) => {
        const reply = new Reply(request, ANSWERS_FOR_NOTHING);
        const spec = { text: 'x'.repeat(length) };
        for (let i = 0; i < count; i += 1)
          reply.compose(
            `one-${i}`,
            { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `one-${i}` }, spec },
            true,
          );
        return reply;
      },
    }),
  );

it('refuses an answer that Crossplane would not take over gRPC, in the words of a function that is a process', async () => {
  const { results } = await composing(1000, 5000).run(aRequest({ composite: aNodePool() }));
  expect(results).toMatchObject([{ severity: 'Fatal', reason: 'Unsupported' }]);
  expect(results[0]?.message).toMatch(
    /^cannot answer: the response has \d+ bytes, but Crossplane accepts fewer than 4194304/,
  );
});

it('takes one below the limit', async () => {
  const { results, desired } = await composing(1000, 3000).run(aRequest({ composite: aNodePool() }));
  expect(results).toEqual([]);
  expect(desired.resources.size).toBe(1000);
});
