/**
 * The example of Azure on its simulated cloud, from claim to Ready: what is composed is valid, holds no secret, and comes
 * in an order that works.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
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

const NETWORK = 'network.azure.m.upbound.io/v1beta1';
const ENDPOINT = 'NetworkInterfaceBackendAddressPoolAssociation';
const IDS =
  /^\/subscriptions\/[0-9a-f-]{36}\/resourceGroups\/team-a-prod-[a-z0-9]{6}\/providers\/Microsoft\.Compute\/virtualMachines\//;

let played: Played;
const { early, noted } = earlyMachines(ENDPOINT);

beforeAll(async () => {
  played = await playExample('azure', noted);
});

const vms = (): readonly KubeObject[] => played.list('LinuxVirtualMachine', 'compute.azure.m.upbound.io/v1beta1');

test('its provider is told no empty list, no empty map and no null', () => {
  expect(emptyIn(played)).toEqual([]);
});

test('becomes Ready', () => {
  expect(played.reached).toBe(true);
  expect(played.list('Machine')).toHaveLength(8);
});

test.skipIf(!crdsAvailable())('the provider accepts every object', () => {
  expect(played.first.size).toBeGreaterThan(70);
  expect(refusedByProvider(played)).toEqual([]);
});

test('every object of the cluster is called by its id, which is the name of the resource group', () => {
  const id = stringAt(played.list('Cluster')[0]?.status, 'infrastructure', 'id') ?? 'none';
  expect(id).toMatch(/^team-a-prod-[a-z0-9]{6}$/);
  expect(played.list('ResourceGroup', 'azure.m.upbound.io/v1beta1').map(externalName)).toEqual([id]);
  const machines = new Set(['LinuxVirtualMachine', 'NetworkInterface', 'Vault']);
  const named = [...played.first.values()].filter(({ kind }) => !machines.has(kind)).map(externalName);
  // Names of vaults, and of what is in them, do not have it.
  const others = named.filter((name) => name !== '' && !name.startsWith('https://kv-'));
  expect(others.filter((name) => !name.startsWith(id) && !name.includes(`/resourceGroups/${id}/`))).toEqual([]);
});

test('a machine is called in Azure as its node is called, which controllers of Azure depend on', () => {
  expect(vms().map(externalName)).toEqual(vms().map(({ metadata }) => metadata?.name));
});

test('a machine that joins is behind the load balancer only when its node is ready', () => {
  expect(played.list(ENDPOINT, NETWORK)).toHaveLength(3);
  expect(early).toEqual([]);
});

test('machines of the control plane are in three zones', () => {
  const planes = vms().filter(({ metadata }) => metadata?.name?.startsWith('prod-control-plane-') === true);
  const zones = planes.map((one) => stringAt(one, 'spec', 'forProvider', 'zone') ?? '');
  expect(zones.toSorted()).toEqual(['1', '2', '3']);
  const domains = played.list('Machine').map(({ spec }) => stringAt(spec, 'failureDomain') ?? '');
  expect([...new Set(domains)].toSorted()).toEqual(['westeurope-1', 'westeurope-2', 'westeurope-3']);
});

test('a provider id is the id of the machine, and the id of a machine is the number of Azure', () => {
  const own = new Map(vms().map((one) => [one.metadata?.name, one]));
  for (const { metadata, status } of played.list('Machine')) {
    const vm = own.get(metadata?.name);
    const id = stringAt(vm, 'status', 'atProvider', 'id') ?? '';
    expect(id).toMatch(IDS);
    expect(stringAt(status, 'providerID')).toBe(`azure://${id}`);
    expect(stringAt(status, 'instanceID')).toMatch(/^[0-9a-f-]{36}$/);
    expect(stringAt(status, 'instanceID')).toBe(stringAt(vm, 'status', 'atProvider', 'virtualMachineId'));
  }
});

test('who an identity is comes from Azure, and each identity reads the vault of its role only', () => {
  const grants = played
    .list('RoleAssignment', 'authorization.azure.m.upbound.io/v1beta1')
    .filter((one) => stringAt(one, 'spec', 'forProvider', 'roleDefinitionName') === 'Key Vault Secrets User');
  const [scopes, principals] = ['scope', 'principalId'].map((field) =>
    grants.map((one) => stringAt(one, 'spec', 'forProvider', field) ?? ''),
  );
  expect(new Set(scopes).size).toBe(2);
  expect(new Set(principals).size).toBe(2);
  const known = played
    .list('UserAssignedIdentity', 'managedidentity.azure.m.upbound.io/v1beta1')
    .map((one) => stringAt(one, 'status', 'atProvider', 'principalId') ?? '');
  expect(principals?.toSorted()).toEqual(known.toSorted());
});

test('no two security rules have the same priority, and what nobody allows is refused at last', () => {
  const rules = played.list('SecurityRule', NETWORK).map((one) => at(one, 'spec', 'forProvider'));
  const priorities = rules.map((rule) => Number(at(rule, 'priority')));
  expect(new Set(priorities).size).toBe(rules.length);
  const last = rules.find((rule) => at(rule, 'priority') === Math.max(...priorities));
  expect(last).toMatchObject({ access: 'Deny', sourceAddressPrefix: 'VirtualNetwork', destinationAddressPrefix: '*' });
});

test('only Secrets contain a secret, and none is left in Key Vault', () => {
  expect(played.sightings.leaks).toEqual([]);
  expect([...played.sightings.places]).toEqual(
    expect.arrayContaining([
      'LinuxVirtualMachine.spec.forProvider.customDataSecretRef.name',
      'Secret.spec.forProvider.valueSecretRef.name',
    ]),
  );
  expect(played.list('Secret', 'keyvault.azure.m.upbound.io/v1beta1')).toEqual([]);
});

describe('what is composed', () => {
  const byName = ({ kind, metadata }: KubeObject): string => `${metadata?.name ?? ''} ${kind}`;

  test('for a cluster matches the golden file', async () => {
    const all = [...played.first.values()].filter(({ metadata }) => !/-\d+-[a-z0-9]{5}/.test(metadata?.name ?? ''));
    await expect(goldenOf(all, byName)).toMatchFileSnapshot('golden/azure-cluster.yaml');
  });

  test('for its first machine matches the golden file', async () => {
    const all = [...played.first.values()].filter(isOfFirstMachine);
    await expect(goldenOf(all, byName)).toMatchFileSnapshot('golden/azure-machine.yaml');
  });
});
