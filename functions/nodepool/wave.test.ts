/** A large pool brings its machines in waves that Crossplane can take. */
import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aNodePool } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { composed, condition, request, slots } from './pool.fixture.ts';

const pool = aNodePool({ spec: { replicas: 100 } });
const look = (machines: readonly KubeObject[]): Promise<ReplyData> => replyOf(run, request({ pool, machines }));
const reconciled = (machine: KubeObject): KubeObject => ({
  ...machine,
  status: {
    conditions: [{ type: 'Ready', status: 'False', reason: 'Creating', lastTransitionTime: '2026-01-01T00:00:00Z' }],
  },
});

test('the next machines follow once Crossplane has composed those before', async () => {
  const first = await look([]);
  expect(slots(first)).toHaveLength(25);
  const machines = composed(first);
  const waiting = await look(machines);
  expect(slots(waiting)).toHaveLength(25);
  expect(condition(waiting, 'ScalingUp')).toMatchObject({
    status: 'True',
    message: 'creating 75 machines: 25 of 100 exist; the next ones follow once Crossplane has composed 25 of them',
  });
  const some = machines.map((machine, index) => (index < 10 ? reconciled(machine) : machine));
  expect(slots(await look(some))).toHaveLength(35);
  expect(slots(await look(machines.map(reconciled)))).toHaveLength(50);
});
