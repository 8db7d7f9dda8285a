/** Resource groups, networks and what is in them. */
import { stringAt } from '#lib/api/json.ts';
import type { CloudKind, CloudObject } from '#simulator/cloud/kind.ts';
import { azureKind, inGroup, pairOf, SUBSCRIPTION } from './kind.ts';
import { refusedWith } from './refusal.ts';

const IN_GROUP = [
  'VirtualNetwork',
  'Subnet',
  'ApplicationSecurityGroup',
  'SecurityGroup',
  'SecurityRule',
  'NATGateway',
  'PublicIP',
  'LoadBalancer',
  'NetworkInterface',
  'UserAssignedIdentity',
  'Vault',
  'LinuxVirtualMachine',
];

export const NETWORK: readonly CloudKind[] = [
  azureKind('', {
    kind: 'ResourceGroup',
    title: 'Resource Group',
    path: (name) => `${SUBSCRIPTION}/resourceGroups/${name}`,
    forceNew: ['location'],
    // The provider refuses to delete a group that is not empty.
    blockedBy: Object.fromEntries(IN_GROUP.map((kind) => [kind, ['resourceGroupName']])),
  }),
  azureKind('network', {
    kind: 'VirtualNetwork',
    title: 'Virtual Network',
    path: inGroup('Microsoft.Network/virtualNetworks'),
    forceNew: ['edgeZone', 'location', 'resourceGroupName'],
    blockedBy: { Subnet: ['virtualNetworkName'] },
  }),
  azureKind('network', {
    kind: 'Subnet',
    title: 'Subnet',
    path: (name, attributes) =>
      `${inGroup('Microsoft.Network/virtualNetworks')(stringAt(attributes, 'virtualNetworkName') ?? '', attributes)}/subnets/${name}`,
    forceNew: ['resourceGroupName', 'virtualNetworkName'],
    references: { virtualNetworkName: 'VirtualNetwork' },
    blockedBy: { NetworkInterface: ['ipConfiguration.subnetId'], LoadBalancer: ['frontendIpConfiguration.subnetId'] },
  }),
  azureKind('network', {
    kind: 'ApplicationSecurityGroup',
    title: 'Application Security Group',
    path: inGroup('Microsoft.Network/applicationSecurityGroups'),
    forceNew: ['location', 'resourceGroupName'],
    blockedBy: {
      SecurityRule: ['sourceApplicationSecurityGroupIds', 'destinationApplicationSecurityGroupIds'],
      NetworkInterfaceApplicationSecurityGroupAssociation: ['applicationSecurityGroupId'],
    },
  }),
  azureKind('network', {
    kind: 'SecurityGroup',
    title: 'Network Security Group',
    path: inGroup('Microsoft.Network/networkSecurityGroups'),
    forceNew: ['location', 'resourceGroupName'],
    blockedBy: { NetworkInterfaceSecurityGroupAssociation: ['networkSecurityGroupId'] },
  }),
  azureKind('network', {
    kind: 'SecurityRule',
    title: 'Network Security Rule',
    path: (name, attributes) =>
      `${inGroup('Microsoft.Network/networkSecurityGroups')(stringAt(attributes, 'networkSecurityGroupName') ?? '', attributes)}/securityRules/${name}`,
    forceNew: ['networkSecurityGroupName', 'resourceGroupName'],
    references: { networkSecurityGroupName: 'SecurityGroup' },
    lists: {
      sourceAddressPrefixes: 'set',
      destinationPortRanges: 'set',
      sourceApplicationSecurityGroupIds: 'set',
      destinationApplicationSecurityGroupIds: 'set',
    },
    refuses: ({ sourceApplicationSecurityGroupIds: from, destinationApplicationSecurityGroupIds: to }, find) => {
      const ids = [from, to].flatMap((list) => (Array.isArray(list) ? (list as readonly string[]) : []));
      const missing = ids.find((id) => find(id) === undefined);
      return missing === undefined ? undefined : notFound(missing);
    },
  }),
  azureKind('network', {
    kind: 'PublicIP',
    title: 'Public I P Address',
    path: inGroup('Microsoft.Network/publicIPAddresses'),
    forceNew: [
      'edgeZone',
      'ipTags',
      'ipVersion',
      'location',
      'publicIpPrefixId',
      'resourceGroupName',
      'sku',
      'skuTier',
      'zones',
    ],
    lists: { zones: 'set' },
    blockedBy: {
      NATGatewayPublicIPAssociation: ['publicIpAddressId'],
      LoadBalancer: ['frontendIpConfiguration.publicIpAddressId'],
    },
    created: ({ id, dice }) => ({
      outputs: { ipAddress: `203.0.113.${1 + Math.floor(dice.roll('address', id) * 250)}` },
    }),
  }),
  azureKind('network', {
    kind: 'NATGateway',
    title: 'Nat Gateway',
    path: inGroup('Microsoft.Network/natGateways'),
    forceNew: ['location', 'resourceGroupName', 'skuName', 'zones'],
    blockedBy: { SubnetNATGatewayAssociation: ['natGatewayId'], NATGatewayPublicIPAssociation: ['natGatewayId'] },
  }),
  azureKind('network', {
    kind: 'NATGatewayPublicIPAssociation',
    title: 'NAT Gateway/Public IP Association',
    idPrefix: 'nat-ip-',
    knownByPath: true,
    path: pairOf('natGatewayId', 'publicIpAddressId'),
    forceNew: ['natGatewayId', 'publicIpAddressId'],
    references: { natGatewayId: 'NATGateway', publicIpAddressId: 'PublicIP' },
  }),
  azureKind('network', {
    kind: 'SubnetNATGatewayAssociation',
    title: 'NAT Gateway/Subnet Association',
    idPrefix: 'subnet-nat-',
    knownByPath: true,
    path: (_, attributes) => stringAt(attributes, 'subnetId') ?? '',
    forceNew: ['natGatewayId', 'subnetId'],
    references: { natGatewayId: 'NATGateway', subnetId: 'Subnet' },
  }),
];

/** An address in the block of a subnet, with its first three numbers. */
export function addressIn(subnet: CloudObject | undefined, last: number): string {
  const blocks = subnet?.attributes['addressPrefixes'];
  const block = Array.isArray(blocks) ? String(blocks[0]) : '10.0.0.0/16';
  const [a = '10', b = '0', c = '0'] = block.split('.');
  return [a, b, c, String(last)].join('.');
}

export function notFound(id: string): string {
  return refusedWith('ResourceNotFound', `The Resource '${id}' was not found.`, '404 (404 Not Found)');
}
