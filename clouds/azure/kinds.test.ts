import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { apiVersionOf, AZURE_KINDS, groupOf, hasLocation, isOfAzure, MACHINE_KINDS } from './kinds.ts';
import { AZURE as SIMULATED } from './simulated/azure.ts';

const ACTIVATION = join(import.meta.dirname, '../../package/configuration-azure/activation.yaml');

test('the simulated cloud knows every kind in the same version, and no other', () => {
  const known = SIMULATED.kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  expect(known.toSorted()).toEqual(AZURE_KINDS.map((kind) => `${apiVersionOf(kind)} ${kind}`).toSorted());
});

test('where Crossplane activates no kind by itself, every kind of the list is activated, and no other kind of Azure', () => {
  const { spec } = parse(readFileSync(ACTIVATION, 'utf8')) as { spec: { activate: readonly string[] } };
  const plural = (kind: string): string => `${kind.toLowerCase()}s`.replace(/tys$/, 'ties');
  const wanted = AZURE_KINDS.map((kind) => `${plural(kind)}.${groupOf(kind)}`);
  const ofAzure = spec.activate.filter((name) => name.endsWith('.azure.m.upbound.io'));
  expect(ofAzure.toSorted()).toEqual(wanted.toSorted());
});

test('parts of other objects, and relations of two, have no region', () => {
  const without = AZURE_KINDS.filter((kind) => !hasLocation(kind) && !MACHINE_KINDS.has(kind));
  expect(without).toEqual([
    'Subnet',
    'SecurityRule',
    'NATGatewayPublicIPAssociation',
    'SubnetNATGatewayAssociation',
    'LoadBalancerBackendAddressPool',
    'LoadBalancerProbe',
    'LoadBalancerRule',
    'RoleAssignment',
  ]);
});

test('an object belongs to Azure by its group, in any version', () => {
  expect(isOfAzure({ apiVersion: 'compute.azure.m.upbound.io/v1beta7', kind: 'Anything' })).toBe(true);
  expect(isOfAzure({ apiVersion: 'azure.m.upbound.io/v1beta1', kind: 'ResourceGroup' })).toBe(true);
  expect(isOfAzure({ apiVersion: 'v1', kind: 'Secret' })).toBe(false);
});
