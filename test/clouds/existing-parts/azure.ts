/** What somebody else has on Azure: in a resource group of theirs. */
import type { JsonObject } from '#lib/api/json.ts';
import { type CloudCase, endpoint, type Foreign, type Seen } from './case.ts';

const AZURE = 'westeurope';
const KEY = '/subscriptions/fake/resourceGroups/keys/providers/Microsoft.Compute/diskEncryptionSets/fake';
const SERVICES: Readonly<Record<string, string>> = { ResourceGroup: '', UserAssignedIdentity: 'managedidentity.' };

const group: Foreign = { kind: 'ResourceGroup', name: 'shared', forProvider: { location: AZURE } };
const inGroup = (forProvider: JsonObject = {}): JsonObject => ({ resourceGroupName: 'shared', ...forProvider });
const located = (kind: string, name: string, forProvider: JsonObject = {}): Foreign => ({
  kind,
  name,
  forProvider: inGroup({ location: AZURE, ...forProvider }),
});
const existing = (parts: JsonObject): JsonObject => ({ infrastructure: { existing: parts } });
const identities = ['masters', 'nodes'].map((name) => located('UserAssignedIdentity', name, { name }));
const bothIdentities = (seen: Seen): JsonObject => ({
  identities: {
    controlPlane: seen('UserAssignedIdentity masters', 'id'),
    worker: seen('UserAssignedIdentity nodes', 'id'),
  },
});

export const AZURE_CASE: CloudCase = {
  cloud: 'azure',
  region: AZURE,
  apiVersionOf: (kind) => `${SERVICES[kind] ?? 'network.'}azure.m.upbound.io/v1beta1`,
  parts: [
    {
      part: 'network and subnets',
      owned: [
        () => [group],
        () => [
          located('VirtualNetwork', 'shared', { addressSpace: ['10.9.0.0/16'] }),
          {
            kind: 'Subnet',
            name: 'nodes',
            forProvider: inGroup({ virtualNetworkName: 'shared', addressPrefixes: ['10.9.0.0/20'] }),
          },
        ],
      ],
      claim: (seen) =>
        existing({
          network: { id: seen('VirtualNetwork shared', 'id') },
          subnets: [{ id: seen('Subnet nodes', 'id'), zone: `${AZURE}-1` }],
        }),
      without: ['VirtualNetwork', 'Subnet', 'NATGateway'],
    },
    {
      part: 'security groups',
      owned: [
        () => [group],
        () => [
          located('SecurityGroup', 'machines'),
          located('ApplicationSecurityGroup', 'masters'),
          located('ApplicationSecurityGroup', 'workers'),
        ],
      ],
      claim: (seen) =>
        existing({
          securityGroups: {
            controlPlane: [
              seen('SecurityGroup machines', 'id'),
              seen('ApplicationSecurityGroup masters', 'id'),
              seen('workers', 'id'),
            ],
            worker: [seen('workers', 'id'), seen('SecurityGroup machines', 'id')],
          },
        }),
      without: ['SecurityGroup', 'SecurityRule', 'ApplicationSecurityGroup'],
    },
    {
      part: 'identities',
      owned: [() => [group], () => identities],
      claim: (seen) => existing(bothIdentities(seen)),
      without: [],
      lookedAt: ['UserAssignedIdentity', 'UserAssignedIdentity'],
    },
    {
      part: 'identities of the platform',
      owned: [() => [group], () => identities],
      claim: () => ({}),
      input: (seen) => ({ existingParts: bothIdentities(seen) }),
      without: [],
      lookedAt: ['UserAssignedIdentity', 'UserAssignedIdentity'],
    },
    {
      part: 'load balancer',
      owned: [
        () => [group],
        () => [located('PublicIP', 'api', { allocationMethod: 'Static', sku: 'Standard' })],
        (seen) => [
          located('LoadBalancer', 'api', {
            sku: 'Standard',
            frontendIpConfiguration: [{ name: 'api', publicIpAddressId: seen('PublicIP api', 'id') }],
          }),
        ],
        (seen) => {
          const loadbalancerId = seen('LoadBalancer api', 'id');
          return [
            { kind: 'LoadBalancerBackendAddressPool', name: 'masters', forProvider: { loadbalancerId } },
            { kind: 'LoadBalancerProbe', name: 'api', forProvider: { loadbalancerId, port: 6443, protocol: 'Tcp' } },
          ];
        },
        (seen) => [
          {
            kind: 'LoadBalancerRule',
            name: 'api',
            forProvider: {
              loadbalancerId: seen('LoadBalancer api', 'id'),
              frontendPort: 6443,
              backendPort: 6443,
              protocol: 'Tcp',
              frontendIpConfigurationName: 'api',
              backendAddressPoolIds: [seen('LoadBalancerBackendAddressPool masters', 'id')],
              probeId: seen('LoadBalancerProbe api', 'id'),
            },
          },
        ],
      ],
      claim: (seen) => ({
        controlPlane: endpoint(seen('PublicIP api', 'ipAddress')),
        ...existing({ loadBalancerTargets: [{ id: seen('LoadBalancerBackendAddressPool masters', 'id') }] }),
      }),
      without: ['LoadBalancer', 'LoadBalancerBackendAddressPool', 'LoadBalancerProbe', 'LoadBalancerRule'],
    },
    {
      part: 'endpoint alone',
      owned: [],
      claim: () => ({ controlPlane: endpoint('203.0.113.10') }),
      without: ['LoadBalancer', 'LoadBalancerBackendAddressPool', 'LoadBalancerProbe', 'LoadBalancerRule'],
    },
    {
      part: 'resource group',
      owned: [() => [group]],
      claim: (seen) => existing({ resourceGroup: { id: seen('ResourceGroup shared', 'id') } }),
      without: ['ResourceGroup'],
    },
    {
      part: 'encryption key',
      owned: [],
      claim: () => existing({ encryptionKey: { id: KEY } }),
      without: [],
    },
  ],
};
