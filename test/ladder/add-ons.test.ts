/** Two minor versions in a row: the control plane, then the add-ons that are chosen for it, then the workers. */
import { expect, test } from 'vitest';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { applied, call, NETWORK } from '../../functions/addons/addons.fixture.ts';
import { run } from '../../functions/nodepool/fn.ts';
import { composed, condition, grown, request } from '../../functions/nodepool/pool.fixture.ts';
import { aCluster, aNodePool, INFRASTRUCTURE } from '../support/claims.ts';
import { replyOf } from '../support/function-laws.ts';

const TABLE = {
  ...NETWORK,
  versions: [
    { kubernetes: ['1.34'], version: '1.0.0' },
    { kubernetes: ['1.35'], version: '2.0.0' },
    { kubernetes: ['1.36'], version: '3.0.0' },
  ],
};

/** What a pool of workers desires while the control plane and the add-ons are at these versions. */
async function workers(claimed: string, plane: string, addOns: string, pinned: boolean) {
  const cluster = aCluster({
    spec: { version: claimed },
    status: {
      infrastructure: INFRASTRUCTURE,
      controlPlaneEndpoint: { host: 'api', port: 6443 },
      controlPlane: { initialized: true, version: plane },
      addons: { defaults: 'Installed', version: addOns },
    },
  });
  const machines = (await grown(2)).map((one): KubeObject => ({ ...one, spec: { ...one.spec, version: addOns } }));
  const pool = aNodePool({ spec: { replicas: 2, ...(pinned ? { version: claimed } : {}) } });
  const reply = await replyOf(run, request({ pool, cluster, machines }));
  const versions = new Set(composed(reply).map((machine) => stringAt(machine, 'spec', 'version')));
  return { versions: [...versions], accepted: condition(reply, 'VersionAccepted') };
}

test.each([false, true])(
  'control plane, add-ons, workers: for two minors in a row (pool with a version of its own: %s)',
  async (pinned) => {
    let observed = applied(
      await call({
        addons: [],
        input: { defaults: [TABLE] },
        version: 'v1.34.6',
        status: { addons: { defaults: 'Installed' } },
      }),
    );
    let reached = 'v1.34.6';
    const order: string[] = [];
    for (const [next, chart] of [
      ['v1.35.4', '2.0.0'],
      ['v1.36.1', '3.0.0'],
    ] as const) {
      const step = (plane: string, seen: Record<string, KubeObject>) =>
        call({
          addons: [],
          spec: { version: next },
          input: { defaults: [TABLE] },
          version: plane,
          status: { addons: { defaults: 'Installed', version: reached } },
          observed: seen,
        });
      const chartOf = (reply: Awaited<ReturnType<typeof step>>) =>
        at(reply.resources.get('addon-network')?.resource, 'spec', 'forProvider', 'chart', 'version');

      const before = await step(reached, observed);
      expect(chartOf(before), 'the claim alone changes no add-on').not.toBe(chart);
      expect((await workers(next, reached, reached, pinned)).accepted).toMatchObject({
        reason: 'WaitingForControlPlane',
      });

      const told = await step(next, observed);
      expect(chartOf(told)).toBe(chart);
      expect(told.status['addons']).toEqual({ defaults: 'Installed', version: reached });
      order.push(`plane ${next}`);
      const held = await workers(next, next, reached, pinned);
      expect(held).toMatchObject({
        versions: [reached],
        accepted: {
          status: 'False',
          reason: 'WaitingForAddons',
          message: `${next} waits until the add-ons of the Cluster are ready with it; they are ready with ${reached}`,
        },
      });

      observed = applied(told);
      const done = await step(next, observed);
      expect(done.status['addons']).toEqual({ defaults: 'Installed', version: next });
      order.push(`add-ons ${chart}`);
      reached = next;
      expect((await workers(next, next, next, pinned)).versions).toContain(next);
      order.push(`workers ${next}`);
    }
    expect(order).toEqual([
      'plane v1.35.4',
      'add-ons 2.0.0',
      'workers v1.35.4',
      'plane v1.36.1',
      'add-ons 3.0.0',
      'workers v1.36.1',
    ]);
  },
);

test('a cluster whose add-ons are not chosen by version is not held: it has no such version', async () => {
  expect((await call()).status['addons']).toBeUndefined();
});
