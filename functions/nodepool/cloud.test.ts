/** A pool on another cloud than its Cluster is refused, and loses nothing. */
import { describe, expect, it, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { aCluster, aNodePool } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { condition, grown, request, slots } from './pool.fixture.ts';

const ON_GCP = {
  apiVersion: 'fn.slipway.dev/v1alpha1',
  kind: 'NodePoolInput',
  cloud: 'gcp',
  classes: { 'standard-4': 'n2-standard-4' },
  images: { 'debian-12/v1.35.4': { 'europe-west1': 'projects/debian-cloud/global/images/debian-12' } },
  defaultImage: 'debian-12',
};
const flavour = (name: string) => ({ compositionSelector: { matchLabels: { 'slipway.dev/flavor': name } } });
const line = (its: string, accepted: string): string =>
  `spec.crossplane: its Cluster is on ${its}, but the Composition chosen creates machines on gcp; accepted: a Composition with the label slipway.dev/flavor: ${accepted}`;

const look = (
  spec: JsonObject,
  { cluster = aCluster(), machines = [] }: { cluster?: KubeObject; machines?: readonly KubeObject[] } = {},
): Promise<ReplyData> =>
  replyOf(run, request({ pool: aNodePool({ spec: { replicas: 2, ...spec } }), cluster, machines, input: ON_GCP }));

test.for([
  { name: 'whose infrastructure is there', cluster: aCluster({ spec: { crossplane: flavour('aws') } }), says: 'aws' },
  { name: 'of a flavour of its own', cluster: aCluster({ spec: { crossplane: flavour('shop') } }), says: 'shop' },
  {
    name: 'that was never reconciled',
    cluster: aCluster({ spec: { crossplane: flavour('aws') }, status: {} }),
    says: 'aws',
  },
])('a new pool on another cloud than a Cluster $name is refused, before its image is judged', async (given) => {
  await expect(look({ crossplane: flavour('gcp') }, given)).rejects.toThrow(
    `cannot accept NodePool "team-a/general": ${line('aws', given.says)}`,
  );
});

test.for([
  { name: 'a flavour of its own', crossplane: flavour('shop') },
  { name: 'the flavour of that cloud', crossplane: flavour('gcp') },
  {
    name: 'another Composition than its selector says',
    crossplane: { ...flavour('aws'), compositionRef: { name: 'clusters.example.org' } },
  },
])('no cloud is guessed before a Cluster of $name says it', async ({ crossplane }) => {
  const cluster = aCluster({ spec: { crossplane, region: 'europe-west1' }, status: {} });
  expect(slots(await look({ crossplane: flavour('gcp') }, { cluster }))).toEqual([]);
});

test('an edit of a running pool to another cloud is refused: nothing changes', async () => {
  const machines = await grown(2);
  await expect(look({ crossplane: flavour('gcp') }, { machines })).rejects.toThrow(line('aws', 'test'));
});

test('an edit of the Composition alone is refused, since its machines are on the cloud of the Cluster', async () => {
  const cluster = aCluster({ spec: { crossplane: flavour('aws') } });
  const machines = (await grown(2)).map((one) => ({ ...one, spec: { ...one.spec, crossplane: flavour('aws') } }));
  const crossplane = { ...flavour('aws'), compositionRef: { name: 'nodepools.gcp.slipway.dev' } };
  await expect(look({ crossplane }, { cluster, machines })).rejects.toThrow(line('aws', 'aws'));
});

describe('a pool whose machines were made on another cloud', async () => {
  const machines = await grown(2);

  it('keeps them, creates no others, and says why', async () => {
    const reply = await look({ replicas: 4 }, { machines });
    expect(slots(reply)).toEqual(machines.map(({ metadata }) => metadata?.name));
    expect(condition(reply, 'ScalingUp')?.message).toContain(`no machine is created: ${line('aws', 'test')}`);
  });

  it('is scaled down', async () => {
    expect(slots(await look({ replicas: 1 }, { machines }))).toHaveLength(1);
  });
});

describe('a pool whose selector changes to another cloud, while Crossplane keeps its Composition', () => {
  const why =
    'spec.crossplane.compositionSelector: new machines would be on aws, but the pool keeps the Composition that Crossplane chose first, which creates machines on gcp; accepted: matchLabels slipway.dev/flavor: gcp';
  const its = aCluster({
    status: {
      ...aCluster().status,
      infrastructure: { ...(aCluster().status?.['infrastructure'] as JsonObject), cloud: 'gcp' },
    },
  });

  it('is refused, since its new machines would have the new selector', async () => {
    const machines = await grown(2);
    await expect(look({ crossplane: flavour('aws') }, { cluster: its, machines })).rejects.toThrow(why);
  });

  it('keeps its machines if they already have that selector, and creates no others', async () => {
    const machines = (await grown(2)).map((one) => ({ ...one, spec: { ...one.spec, crossplane: flavour('aws') } }));
    const reply = await look({ crossplane: flavour('aws'), replicas: 4 }, { cluster: its, machines });
    expect(slots(reply)).toEqual(machines.map(({ metadata }) => metadata?.name));
    expect(condition(reply, 'ScalingUp')?.message).toContain(`no machine is created: ${why}`);
  });

  it('may have a flavour of its own: it is judged by its other fields', async () => {
    await expect(look({ crossplane: flavour('shop') }, { cluster: its })).rejects.toThrow('spec.machine.image: ');
  });
});
