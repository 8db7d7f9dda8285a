/** A refusal of what machines get names the object that says so, and the field there. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPath } from '#lib/api/issues.ts';
import type { Json, JsonObject } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { NodePool } from '#lib/api/kinds/node-pool.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { aCluster, aNodePool } from '../../test/support/claims.ts';
import { EVERY_PROVISIONING } from '../../test/support/everything.ts';
import { templateOf } from './template.ts';
import { asWritten } from './field-origin.ts';

/** Every value, by its path. */
function valuesIn(value: unknown, path: readonly (string | number)[]): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[formatPath(path), value]];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return inner.flatMap(([key, one]) => valuesIn(one, [...path, key]));
}

/** Those of a pool in another order than those of its Cluster. */
const inTurn = (list: readonly Json[], times: number) => (times < 0 ? list.toReversed() : list);

/** Some of the fields. */
const fields = fc.subarray(Object.keys(EVERY_PROVISIONING).filter((field) => field !== 'format'));
const provisioningOf = (names: readonly string[], times: number): JsonObject =>
  Object.fromEntries(
    names.map((name) => {
      const value = EVERY_PROVISIONING[name]!;
      return [
        name,
        Array.isArray(value) ? Array.from({ length: Math.abs(times) }, () => inTurn(value, times)).flat() : value,
      ];
    }),
  );

test('whatever a pool and its Cluster say, the named field has the value that machines get', () => {
  const times = fc.integer({ min: 1, max: 3 });
  fc.assert(
    fc.property(fields, times, fields, times, (ofCluster, clusterTimes, ofPool, poolTimes) => {
      const cluster = Cluster.parse(aCluster({ spec: { provisioning: provisioningOf(ofCluster, clusterTimes) } }));
      const parsed = NodePool.parse(aNodePool({ spec: { provisioning: provisioningOf(ofPool, -poolTimes) } }));
      const pool = { ...parsed, spec: { ...parsed.spec, replicas: 1, infrastructure: { overrides: [] } } };
      const written = new Map([
        ...valuesIn(cluster.spec, ['spec']).map(
          ([path, value]) => [`${path} of Cluster "team-a/prod"`, value] as const,
        ),
        ...valuesIn(parsed.spec, ['spec']),
      ]);
      const { provisioning } = templateOf(pool, cluster, 'v1.35.4');
      const given = valuesIn({ ...provisioning, format: undefined }, ['spec', 'provisioning']);
      for (const [path, value] of given.filter(([, one]) => one !== undefined)) {
        const { field = '' } = asWritten(refusalFor('NodePool', path, 'is none'), pool, cluster, 'NodePool');
        expect(written.has(field), `${path} is ${field}`).toBe(true);
        expect(written.get(field), `${path} is ${field}`).toBe(value);
      }
    }),
    { numRuns: 50 },
  );
});
