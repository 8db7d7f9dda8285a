/** A Cluster is not deleted as long as it has pools, and a Cluster or pool being deleted gets no new machines. */
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aCluster, aNodePool } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { composed, condition, grown, request } from './pool.fixture.ts';

const usage = (reply: ReplyData) => reply.resources.get('cluster')?.resource;
const going = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
});

describe('a worker pool', () => {
  it('prevents the deletion of its Cluster, with a reason that names the pool', async () => {
    expect(usage(await replyOf(run, request({})))).toMatchObject({
      metadata: { name: 'general-pool', namespace: 'team-a', labels: { 'slipway.dev/cluster': 'prod' } },
      spec: {
        of: { apiVersion: 'slipway.dev/v1alpha1', kind: 'Cluster', resourceRef: { name: 'prod' } },
        reason: 'NodePool "general" belongs to this Cluster: delete it first',
      },
    });
  });

  // Otherwise, with foreground deletion, the pool would wait for its Usage, and the Usage for the pool.
  it('is not named as the user of the Cluster', async () => {
    expect(usage(await replyOf(run, request({})))?.spec).not.toHaveProperty('by');
  });

  it('prevents it until the last of its nodes is gone, by an object that provider-node keeps so long', async () => {
    const first = await replyOf(run, request({}));
    const nodes = first.resources.get('nodes')!.resource;
    expect(nodes).toMatchObject({
      kind: 'ProviderConfigUsage',
      metadata: { namespace: 'team-a' },
      providerConfigRef: { kind: 'ProviderConfig', name: 'prod' },
      resourceRef: { kind: 'NodePool', name: 'general' },
    });
    expect(first.resources.has('cluster-nodes'), 'a Usage refers to objects that exist').toBe(false);
    const next = await replyOf(run, request({ observed: { nodes } }));
    expect(next.resources.get('cluster-nodes')?.resource?.spec).toMatchObject({
      of: { kind: 'Cluster', resourceRef: { name: 'prod' } },
      by: { kind: 'ProviderConfigUsage', resourceRef: { name: nodes.metadata?.name } },
    });
  });

  it('has names of its own when it is made again while nodes of the former one are drained', async () => {
    const named = async (uid: string): Promise<string | undefined> => {
      const pool = aNodePool();
      const reply = await replyOf(run, request({ pool: { ...pool, metadata: { ...pool.metadata, uid } } }));
      return reply.resources.get('nodes')?.resource?.metadata?.name;
    };
    expect(await named('one')).toMatch(/^general-nodes-/);
    expect(await named('one')).not.toBe(await named('two'));
  });

  it('protects its Cluster before the Cluster is ready for machines', async () => {
    const reply = await replyOf(run, request({ cluster: aCluster({ status: {} }) }));
    expect(usage(reply)).toBeDefined();
    expect(composed(reply)).toEqual([]);
  });

  it('has no Usage of a Cluster that does not exist, and keeps an existing Usage', async () => {
    const nowhere = { required: { cluster: [], machines: [] } };
    expect(usage(await replyOf(run, request(nowhere)))).toBeUndefined();
    const made = usage(await replyOf(run, request({})))!;
    expect(usage(await replyOf(run, request({ ...nowhere, observed: { cluster: made } })))).toEqual(made);
  });

  it('creates no machine for a Cluster that is being deleted, and keeps those it has', async () => {
    const machines = await grown(2);
    const pool = aNodePool({ spec: { replicas: 3, machine: { class: 'standard-8' } } });
    const reply = await replyOf(run, request({ pool, cluster: going(aCluster()), machines }));
    expect(composed(reply).map(({ metadata }) => metadata?.name)).toEqual(
      machines.map(({ metadata }) => metadata?.name),
    );
    expect(condition(reply, 'MachinesReady')?.message).toContain('Cluster prod is being deleted');
  });
});

it('of a control plane is deleted with its Cluster', async () => {
  const pool = aNodePool({ spec: { role: 'control-plane' } });
  const reply = await replyOf(
    run,
    request({ pool: { ...pool, metadata: { ...pool.metadata, name: 'prod-control-plane' } } }),
  );
  expect(usage(reply)).toBeUndefined();
});
