/**
 * What the portable claims come to on each flavour, under the longest names there can be: every object is one that its
 * CRD accepts, no name is longer than its cloud allows, no secret is outside of Secrets and stores, and everything in
 * the cloud is created with the credentials that the Composition or the claim says.
 */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { SUPPORT } from '#clouds/support.ts';
import { at, type KubeObject } from '#lib/api/json.ts';
import { crdsAvailable } from '../support/crds.ts';
import { cloudName, credentialsOf, inventoryOf, printed, secretsInClear } from './inventory.ts';
import { FLAVOURS, longest, portableClaims } from './portable.ts';
import { OTHER, settled } from './settled.ts';
import { refusal } from './names.fixture.ts';

const hasAccount = (flavour: string): boolean =>
  SUPPORT[flavour]?.fields['infrastructure.providerConfigRef.name'].is !== 'refused';

/** Every Cluster of the engine chooses its credentials, which its Composition allows. */
function withCredentials(claims: readonly KubeObject[]): readonly KubeObject[] {
  return claims.map((claim) =>
    claim.kind === 'Cluster'
      ? { ...claim, spec: { ...claim.spec, infrastructure: { providerConfigRef: OTHER } } }
      : claim,
  );
}

/** Objects of the workload cluster: they use its kubeconfig, not an account. */
const IN_CLUSTER =
  /^(node\.slipway\.dev|.*kubernetes\.m?\.?crossplane\.io|.*helm\.m?\.?crossplane\.io|protection\.crossplane\.io|v1)/;
const isInCloud = ({ apiVersion }: KubeObject): boolean => !IN_CLUSTER.test(apiVersion);

const known = new Map<string, Promise<readonly KubeObject[]>>();

function longestOn(flavour: string): Promise<readonly KubeObject[]> {
  const objects = known.get(flavour) ?? settled(flavour, longest(portableClaims(flavour)));
  known.set(flavour, objects);
  return objects;
}

describe.for(FLAVOURS)('on %s', (flavour) => {
  let objects: readonly KubeObject[];

  beforeAll(async () => {
    objects = await longestOn(flavour);
  });

  test.runIf(crdsAvailable())('the table of kinds, names and secrets is as recorded', async () => {
    const table = printed(inventoryOf(objects), secretsInClear(objects));
    await expect(table).toMatchFileSnapshot(join(import.meta.dirname, `golden/inventory-${flavour}.txt`));
    expect(table).toMatch(/: none\n$/);
  });

  test('a secret in clear is found', () => {
    const secret = objects.find(({ kind, apiVersion }) => kind === 'Secret' && apiVersion === 'v1');
    const leak: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'leak' },
      data: at(secret, 'data'),
    };
    expect(secretsInClear([...objects, leak])).toEqual(['ConfigMap leak']);
  });

  test('no name is longer than its cloud allows, or has other characters', () => {
    const named = objects.filter((object) => isInCloud(object) && cloudName(object) !== '');
    expect(named.flatMap((object) => refusal(flavour, object.kind, cloudName(object)) ?? [])).toEqual([]);
  });

  test('everything in the workload cluster has the configuration of its own cluster', () => {
    const inside = objects.filter((object) => !isInCloud(object) && credentialsOf(object) !== '');
    expect(inside.length).toBeGreaterThan(5);
    const [cluster] = objects.flatMap(({ metadata }) => metadata?.labels?.['slipway.dev/cluster'] ?? []);
    const configs = objects.filter(({ kind }) => kind === 'ProviderConfig');
    expect(configs.map((one) => at(one.spec, 'credentials', 'secretRef', 'name'))).toEqual(
      configs.map(() => expect.stringMatching(new RegExp(`^${cluster}-.*kubeconfig$`))),
    );
    const own = new Set(configs.map(({ metadata }) => `ProviderConfig ${metadata?.name ?? ''}`));
    expect(inside.map(credentialsOf).filter((one) => !own.has(one))).toEqual([]);
  });
});

describe.for(FLAVOURS.filter(hasAccount))('in an account of %s', (flavour) => {
  test('everything has the credentials of the Composition', async () => {
    const cloud = (await longestOn(flavour)).filter(isInCloud);
    expect(cloud.length).toBeGreaterThan(20);
    expect([...new Set(cloud.map(credentialsOf))]).toEqual(['ProviderConfig default']);
  });

  test('or those that the claim chooses, if the Composition lets it', async () => {
    const chosen = await settled(flavour, withCredentials(portableClaims(flavour)));
    const cloud = chosen.filter(isInCloud);
    expect(cloud.some(({ kind }) => kind === 'Instance' || kind.endsWith('VirtualMachine'))).toBe(true);
    expect([...new Set(cloud.map(credentialsOf))]).toEqual([`${OTHER.kind} ${OTHER.name}`]);
  });
});

test.for(FLAVOURS.filter((flavour) => !hasAccount(flavour)))('nothing of %s is in an account', async (flavour) => {
  const objects = await longestOn(flavour);
  expect(objects.length).toBeGreaterThan(20);
  expect(objects.filter(isInCloud)).toEqual([]);
});
