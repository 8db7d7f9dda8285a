/**
 * The example of GCP on its simulated cloud, from claim to Ready: what is composed is valid, holds no secret, and comes
 * in an order that works.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { stringAt } from '#lib/api/json.ts';
import { crdsAvailable } from '../support/crds.ts';
import {
  earlyMachines,
  emptyIn,
  externalName,
  goldenOf,
  isOfFirstMachine,
  type Played,
  playExample,
  refusedByProvider,
} from './example.ts';

let played: Played;
const { early, noted } = earlyMachines('NetworkEndpoint');

const COMPUTE = 'compute.gcp.m.upbound.io/v1beta1';

beforeAll(async () => {
  played = await playExample('gcp', noted);
});

test('its provider is told no empty list, no empty map and no null', () => {
  expect(emptyIn(played)).toEqual([]);
});

test('becomes Ready', () => {
  expect(played.reached).toBe(true);
  expect(played.list('Machine')).toHaveLength(8);
});

test.skipIf(!crdsAvailable())('the provider accepts every object', () => {
  expect(played.first.size).toBeGreaterThan(60);
  expect(refusedByProvider(played)).toEqual([]);
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
  const hide = (key: string, value: unknown): unknown => (key === 'user-data' ? '…' : value);

  test('for a cluster matches the golden file', async () => {
    const kinds = new Set(['Instance', 'NetworkEndpoint', 'Secret', 'SecretVersion']);
    const all = [...played.first.values()].filter(({ kind }) => !kinds.has(kind));
    const text = goldenOf(all, ({ metadata }) => metadata?.name ?? '', hide);
    await expect(text).toMatchFileSnapshot('golden/gcp-cluster.yaml');
  });

  test('for its first machine matches the golden file', async () => {
    const all = [...played.first.values()].filter(isOfFirstMachine);
    await expect(goldenOf(all, ({ kind }) => kind, hide)).toMatchFileSnapshot('golden/gcp-machine.yaml');
  });
});
