import { expect, test } from 'vitest';
import { aNodePool } from '../../test/support/claims.ts';
import { aRequest, aWorld } from '../../test/support/request.ts';
import { run } from './fn.ts';

test.for([
  {
    name: 'a typo in a decision',
    input: { rules: [{ path: 'spec.labels', decision: 'Pach' }] },
    line: 'rules[0].decision: "Pach" is not accepted; accepted: Patch, Recreate, Ignore',
  },
  {
    name: 'a path outside',
    input: {
      rules: [
        { path: 'spec.labels', decision: 'Patch' },
        { path: 'status.phase', decision: 'Patch' },
      ],
    },
    line: 'rules[1].path: "status.phase" is not a field path',
  },
  {
    name: 'an unknown field',
    input: { rule: [] },
    line: 'rule: unknown field; accepted: apiVersion, kind, otherwise, ownership, rules, select, ttl',
  },
])('an invalid input is refused with its index: $name', async ({ input, line }) => {
  const request = aRequest({
    composite: aNodePool(),
    input: { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'InPlaceUpdateInput', ...input },
  });
  await expect((async () => (await run(request, aWorld())).build())()).rejects.toThrow(line);
});
