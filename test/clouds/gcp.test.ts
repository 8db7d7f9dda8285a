/**
 * The example of GCP on its simulated cloud, from claim to Ready: what is composed is valid, holds no secret, and comes
 * in an order that works.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import { at, type Json, type KubeObject, stringAt } from '#lib/api/json.ts';
import { yamlText } from '#lib/api/yaml.ts';
import { crdsAvailable, validateManaged } from '../support/crds.ts';
import { externalName, type Played, playExample } from './example.ts';

let played: Played;
/** What was false when an endpoint appeared. */
const early: string[] = [];

const COMPUTE = 'compute.gcp.m.upbound.io/v1beta1';

/** The machine must be the first one, or its node must be ready. */
function noteEndpoint({ kind, metadata }: KubeObject, { list }: Pick<Played, 'list'>): void {
  if (kind !== 'NetworkEndpoint') return;
  const machine = (metadata?.name ?? '').replace(/-endpoint$/, '');
  const own = list('Machine').find((one) => one.metadata?.name === machine);
  const node = list('WorkloadNode', 'node.slipway.dev/v1alpha1').find((one) => one.metadata?.name === machine);
  if (at(own, 'spec', 'bootstrap', 'action') === 'Init' || conditionOf(node, 'Ready')?.status === 'True') return;
  early.push(machine);
}

beforeAll(async () => {
  played = await playExample('gcp', noteEndpoint);
});

test('becomes Ready', () => {
  expect(played.reached).toBe(true);
  expect(played.list('Machine')).toHaveLength(8);
});

test.skipIf(!crdsAvailable())('the provider accepts every object', () => {
  expect(played.first.size).toBeGreaterThan(60);
  const wrong = [...played.first].flatMap(([key, { status: _status, ...object }]) =>
    validateManaged(object).map((error) => `${key}: ${error}`),
  );
  expect(wrong).toEqual([]);
});

test('every object is called by the id of its cluster', () => {
  const id = stringAt(played.list('Cluster')[0]?.status, 'infrastructure', 'id') ?? 'none';
  expect(id).toMatch(/^team-a-prod-[a-z0-9]{6}$/);
  const given = new Set(['ProjectIAMMember', 'ServiceAccountIAMMember', 'NetworkEndpoint', 'SecretVersion']);
  const named = [...played.first.values()].filter(({ kind }) => !given.has(kind)).map(externalName);
  expect(named.filter((name) => !name.startsWith(id))).toEqual([]);
  expect(named.filter((name) => name.length > 63 && !name.includes('_'))).toEqual([]);
});

test('a machine that joins is behind the load balancer only when its node is ready', () => {
  expect(played.list('NetworkEndpoint', COMPUTE)).toHaveLength(3);
  expect(early).toEqual([]);
});

test('machines of the control plane are in three zones, each in the group of its zone', () => {
  const zones = played
    .list('NetworkEndpoint', COMPUTE)
    .map((one) => stringAt(one, 'spec', 'forProvider', 'zone') ?? '');
  expect(zones.toSorted()).toEqual(['europe-west1-b', 'europe-west1-c', 'europe-west1-d']);
});

test('a provider id names project, zone and instance, and the id of a machine is the number of GCP', () => {
  const instances = new Map(played.list('Instance', COMPUTE).map((one) => [one.metadata?.name, one]));
  for (const { metadata, status } of played.list('Machine')) {
    const instance = instances.get(metadata?.name);
    const zone = stringAt(instance, 'spec', 'forProvider', 'zone') ?? '';
    expect(stringAt(status, 'providerID')).toBe(`gce://simulated-project/${zone}/${externalName(instance!)}`);
    expect(stringAt(status, 'instanceID')).toMatch(/^[0-9]+$/);
    expect(stringAt(status, 'instanceID')).toBe(stringAt(instance, 'status', 'atProvider', 'instanceId'));
  }
});

test('only Secrets contain a secret, and none is left in Secret Manager', () => {
  expect(played.sightings.leaks).toEqual([]);
  expect([...played.sightings.places]).toEqual(
    expect.arrayContaining([
      'Instance.spec.initProvider.metadata.user-data',
      'SecretVersion.spec.forProvider.secretDataSecretRef.name',
    ]),
  );
  const left = ['Secret', 'SecretVersion'].flatMap((kind) =>
    played.list(kind, 'secretmanager.gcp.m.upbound.io/v1beta1'),
  );
  expect(left).toEqual([]);
});

describe('what is composed', () => {
  const shown = (object: KubeObject): KubeObject => ({
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name: object.metadata?.name ?? '',
      annotations: { 'crossplane.io/external-name': externalName(object) },
    },
    spec: withoutUserData(object.spec) as Record<string, Json>,
  });

  const withoutUserData = (spec: KubeObject['spec']): unknown =>
    JSON.parse(JSON.stringify(spec ?? {}), (key, value: unknown) => (key === 'user-data' ? '…' : value));

  test('for a cluster matches the golden file', async () => {
    const kinds = new Set(['Instance', 'NetworkEndpoint', 'Secret', 'SecretVersion']);
    const all = [...played.first.values()].filter(({ kind }) => !kinds.has(kind)).map(shown);
    const sorted = all.toSorted((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1));
    await expect(sorted.map(yamlText).join('---\n')).toMatchFileSnapshot('golden/gcp-cluster.yaml');
  });

  test('for its first machine matches the golden file', async () => {
    const all = [...played.first.values()].filter(({ metadata }) =>
      /^prod-control-plane-0-[a-z0-9]{5}/.test(metadata?.name ?? ''),
    );
    const sorted = all.map(shown).toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
    await expect(sorted.map(yamlText).join('---\n')).toMatchFileSnapshot('golden/gcp-machine.yaml');
  });
});
