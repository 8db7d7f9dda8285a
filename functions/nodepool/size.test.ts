import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { aNodePool, withStatus } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { but, composed, grown, lost, request, slots } from './pool.fixture.ts';
import { run } from './fn.ts';

/** A pool that does not say how many machines it has. */
function unsized(status?: JsonObject): KubeObject {
  const { spec, ...pool } = aNodePool();
  const { replicas: _taken, ...others } = spec ?? {};
  return { ...pool, spec: others, ...(status === undefined ? {} : { status }) };
}

describe('a pool without replicas', () => {
  test('starts with one machine', async () => {
    const reply = await replyOf(run, request({ pool: unsized() }));
    expect(composed(reply)).toHaveLength(1);
    expect(reply.status).toMatchObject({ keptReplicas: 1 });
  });

  test('keeps its size when the field is taken away', async () => {
    const machines = await grown(3);
    const reply = await replyOf(run, request({ pool: unsized({ nextSerial: 3 }), machines }));
    expect(slots(reply)).toHaveLength(3);
    expect(reply.status).toMatchObject({ keptReplicas: 3 });
  });

  test('keeps it although a machine fails or is deleted by hand', async () => {
    const machines = await grown(3);
    const pool = unsized({ nextSerial: 3, keptReplicas: 3 });
    const failed = await replyOf(run, request({ pool, machines: but(machines, { 1: lost() }) }));
    expect(failed.status).toMatchObject({ keptReplicas: 3 });
    const deleted = await replyOf(run, request({ pool, machines: machines.slice(0, 2) }));
    expect(slots(deleted)).toHaveLength(3);
  });

  test('keeps no machine if it had none', async () => {
    const reply = await replyOf(run, request({ pool: unsized({ nextSerial: 3 }) }));
    expect(composed(reply)).toEqual([]);
    expect(reply.status).toMatchObject({ keptReplicas: 0 });
  });

  test('has the size of its claim again once that says one', async () => {
    const pool = withStatus(aNodePool({ spec: { replicas: 2 } }), { nextSerial: 3, keptReplicas: 3 });
    const reply = await replyOf(run, request({ pool, machines: await grown(2) }));
    expect(slots(reply)).toHaveLength(2);
    expect(reply.status).not.toHaveProperty('keptReplicas');
  });
});
