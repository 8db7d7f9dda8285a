/** What keeps a Cluster until its workers are drained, and what a node knows about its Cluster. */
import { factsFor } from '../../test/support/cluster-facts.ts';
import { describe, expect, it } from 'vitest';
import { at } from '#lib/api/json.ts';
import { aCluster, aMachine, answer, CONTROL_PLANE, lived, situation, WORLD } from './machine.fixture.ts';

const made = async (...args: Parameters<typeof lived>) => (await answer(await lived(...args))).resources;

describe('a worker whose node may have to be drained', () => {
  it('keeps its Cluster until its WorkloadNode is gone', async () => {
    const usage = (await made(WORLD.joined)).get('cluster');
    const name = aMachine().metadata?.name;
    expect(usage).toMatchObject({
      resource: {
        metadata: { name: `${name}-cluster` },
        spec: {
          of: { kind: 'Cluster', resourceRef: { name: 'prod' } },
          by: { kind: 'WorkloadNode', resourceRef: { name } },
        },
      },
      ready: 'True',
    });
  });

  it('keeps it no longer than that, and a refused deletion of the Cluster is not repeated later', async () => {
    expect(at((await made(WORLD.joined)).get('cluster')?.resource, 'spec', 'replayDeletion')).toBeUndefined();
    expect(at((await made(WORLD.joined)).get('drain')?.resource, 'spec', 'of', 'kind')).not.toBe('Cluster');
  });
});

it('a control-plane machine is deleted with its Cluster', async () => {
  expect((await made(WORLD.joined, { machine: aMachine(CONTROL_PLANE) })).has('cluster')).toBe(false);
});

it('a node names the Cluster it belongs to, by name and uid', async () => {
  const request = await lived(WORLD.joined);
  const [cluster] = request.required.get('cluster') ?? [];
  const required = new Map([
    ...request.required,
    ['cluster', [{ ...cluster!, spec: { ...cluster!.spec, clusterUid: 'the-uid' } }]],
  ]);
  const node = (await answer({ ...request, required })).resources.get('node')?.resource;
  expect(at(node, 'spec', 'clusterRef')).toEqual({ name: 'prod', uid: 'the-uid' });
});

it('creates nothing for a Cluster that is being deleted, and keeps what exists', async () => {
  const cluster = aCluster();
  const going = { ...cluster, metadata: { ...cluster.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const required = new Map([['cluster', [factsFor(going)]]]);
  const first = await answer({ ...situation(), required });
  expect(first.resources.has('instance')).toBe(false);
  const before = await lived(WORLD.joined);
  const kept = await answer({ ...before, required });
  expect([...kept.resources.keys()].toSorted()).toEqual([...before.observed.resources.keys()].toSorted());
});
