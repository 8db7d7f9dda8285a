/** What a node knows about its Cluster, and what is deleted after it. */
import { factsFor } from '../../test/support/cluster-facts.ts';
import { describe, expect, it } from 'vitest';
import { at } from '#lib/api/json.ts';
import { aCluster, answer, lived, situation, WORLD } from './machine.fixture.ts';

const made = async (...args: Parameters<typeof lived>) => (await answer(await lived(...args))).resources;

describe('a worker whose node may have to be drained', () => {
  it('is drained before its virtual machine is deleted, and does not repeat a refused deletion of its Cluster', async () => {
    const resources = await made(WORLD.joined);
    expect(at(resources.get('drain')?.resource, 'spec', 'of', 'kind')).toBe('Instance');
    expect(resources.has('cluster'), 'its pool keeps the Cluster').toBe(false);
  });
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
