/** On every cloud that has a catalog, names that nobody maps are refused at the claim, and its own names are accepted. */
import { expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { compositions, definitions } from '../../cli/files/repository.ts';
import type { PlanWorld } from '../../cli/plan/world.ts';
import { judge, lineOf } from '../../cli/validate/findings.ts';
import { inProcess } from '../support/in-process.ts';

const world: PlanWorld = {
  objects: [],
  definitions: definitions(),
  compositions: compositions(),
  functions: inProcess,
  now: new Date(0),
};

/** The words of a claim. */
interface Words {
  readonly region?: string;
  readonly version?: string;
  readonly machine?: JsonObject;
}

const cloudNames = ['aws', 'azure', 'gcp'] as const;
type CloudName = (typeof cloudNames)[number];

const NATIVE: Readonly<Record<CloudName, Required<Words>>> = {
  aws: {
    region: 'eu-central-1',
    version: 'v1.35.9',
    machine: { instanceType: 'm6i.large', image: 'ami-0123456789abcdef0' },
  },
  azure: {
    region: 'germanywestcentral',
    version: 'v1.35.9',
    machine: { instanceType: 'Standard_D2s_v5', image: '/communityGalleries/acme/images/node/versions/1.0.0' },
  },
  gcp: {
    region: 'europe-west3',
    version: 'v1.35.9',
    machine: { instanceType: 'n2-standard-2', image: 'projects/acme/global/images/node' },
  },
};

function claims(cloud: CloudName, { region = 'eu-west', version = 'v1.35.4', machine = {} }: Words) {
  const crossplane = { compositionSelector: { matchLabels: { 'slipway.dev/flavor': cloud } } };
  const whole = 'instanceType' in machine ? machine : { class: 'standard-2', ...machine };
  const claim = (kind: string, name: string, spec: JsonObject): KubeObject => ({
    apiVersion: 'slipway.dev/v1alpha1',
    kind,
    metadata: { name, namespace: 'team-a' },
    spec: { crossplane, ...spec },
  });
  return {
    cluster: claim('Cluster', 'prod', { version, region, controlPlane: { machine: whole } }),
    pool: claim('NodePool', 'general', { clusterRef: { name: 'prod' }, machine: whole }),
  };
}

const lines = async (all: readonly KubeObject[]): Promise<readonly string[]> =>
  (await judge(world, all)).refused.map(lineOf);

const WRONG: readonly (readonly [string, Words, string])[] = [
  ['a class with a typo', { machine: { class: 'standrad-2' } }, 'machine.class: "standrad-2" is not accepted'],
  ['an image that nobody maps', { machine: { image: 'debian' } }, 'machine.image: "debian" is not accepted'],
  ['an instance type that is none', { machine: { instanceType: 'x' } }, 'machine.instanceType: "x" is not accepted'],
  ['a version without an image', { version: 'v1.35.9' }, 'version: "v1.35.9" is not accepted'],
];

test.for(cloudNames.flatMap((cloud) => WRONG.map((wrong) => [cloud, ...wrong] as const)))(
  '%s: %s is refused at the Cluster and at the NodePool',
  async ([cloud, , words, line]) => {
    const { cluster, pool } = claims(cloud, words);
    const good = claims(cloud, {}).cluster;
    const [ofCluster] = await lines([cluster]);
    expect(ofCluster).toContain('cannot accept Cluster "team-a/prod": spec.');
    expect(ofCluster).toContain(line);
    if (words.version !== undefined) return;
    const [ofPool] = await lines([good, pool]);
    expect(ofPool).toContain('cannot accept NodePool "team-a/general": spec.');
    expect(ofPool).toContain(line);
  },
);

test.for(cloudNames)('%s: a region that nobody maps is refused at the Cluster', async (cloud) => {
  expect(await lines([claims(cloud, { region: 'eu-wset' }).cluster])).toEqual([
    expect.stringMatching(
      /^cannot accept Cluster "team-a\/prod": spec\.region: "eu-wset" is not accepted; accepted: ap-/,
    ),
  ]);
});

test.for(cloudNames)('%s: names of the cloud itself are accepted', async (cloud) => {
  const { cluster, pool } = claims(cloud, NATIVE[cloud]);
  expect(await lines([cluster, pool])).toEqual([]);
});

test.for(cloudNames)('%s: an EnvironmentConfig of its name adds to the catalog', async (cloud) => {
  const { region, machine } = NATIVE[cloud];
  const config: KubeObject = {
    apiVersion: 'apiextensions.crossplane.io/v1beta1',
    kind: 'EnvironmentConfig',
    metadata: { name: `slipway-${cloud}` },
    data: {
      regions: { home: region },
      classes: { 'gpu-3': machine['instanceType'] ?? null },
      images: { acme: { [region]: machine['image'] ?? null } },
    },
  };
  const { cluster, pool } = claims(cloud, { region: 'home', machine: { class: 'gpu-3', image: 'acme' } });
  expect(await lines([cluster, pool])).not.toEqual([]);
  const verdict = await judge({ ...world, objects: [config] }, [cluster, pool]);
  expect(verdict.refused.map(lineOf)).toEqual([]);
});
