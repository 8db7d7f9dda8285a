/** A zone that the Cluster will not have is refused before there is anything in the cloud. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { aCluster, aNodePool, withStatus } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { grown, request, slots } from './pool.fixture.ts';

const INPUT = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'NodePoolInput', cloud: 'aws' };

const judged = (zone: string, infrastructure?: JsonObject) => {
  const pool = aNodePool({ spec: { machine: { class: 'standard-4', zones: [zone] } } });
  const { status: _ready, ...fresh } = aCluster();
  const cluster = infrastructure === undefined ? fresh : withStatus(fresh, { infrastructure });
  return replyOf(run, { ...request({ pool, cluster, machines: [] }), input: INPUT }).then(
    () => 'accepted',
    (error: Error) => error.message,
  );
};
const COMING = { contract: 1, cloud: 'aws', region: 'eu-west-1', ready: false, zones: ['eu-west-1b', 'eu-west-1a'] };

describe('a zone of a pool', () => {
  test('is one of those that its Cluster is to have', async () => {
    expect(await judged('eu-west-1a', COMING)).toBe('accepted');
    expect(await judged('eu-west-1z', COMING)).toBe(
      'cannot accept NodePool "team-a/general": spec.machine.zones[0]: "eu-west-1z" is not accepted; accepted: eu-west-1a, eu-west-1b',
    );
  });

  test('is in a list of zones: one without any is refused of a new pool, and stays with what exists', async () => {
    const pool = aNodePool({ spec: { replicas: 1, machine: { class: 'standard-4', zones: [] } } });
    await expect(replyOf(run, { ...request({ pool }), input: INPUT })).rejects.toThrow(
      'cannot accept NodePool "team-a/general": spec.machine.zones: an empty list is not accepted; accepted: at least one zone, or no such field, which means all zones',
    );
    const old = withStatus(pool, { nextSerial: 1 });
    const machines = await grown(1);
    expect(slots(await replyOf(run, { ...request({ pool: old, machines }), input: INPUT }))).toHaveLength(1);
    expect(slots(await replyOf(run, { ...request({ pool: old, machines: [] }), input: INPUT }))).toHaveLength(1);
  });

  test.for([
    { zone: 'us-east-1a', meant: '' },
    { zone: 'a', meant: '; did you mean "eu-west-1a"?' },
  ])('is of the region of its Cluster, while that says no zones: $zone', async ({ zone, meant }) => {
    expect(await judged('eu-west-1z')).toBe('accepted');
    expect(await judged(zone)).toBe(
      `cannot accept NodePool "team-a/general": spec.machine.zones[0]: "${zone}" is not accepted; accepted: zones of eu-west-1, such as eu-west-1a${meant}`,
    );
  });
});
