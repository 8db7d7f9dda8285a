/**
 * The Azure kinds that Slipway composes, by API group, each group with one version. The simulated cloud has its own list,
 * because it checks this one.
 */
import type { KubeObject } from '#lib/api/json.ts';

const DOMAIN = 'azure.m.upbound.io';

/** By the first part of the API group; resource groups are in a group without one. */
const GROUPS = {
  '': { version: 'v1beta1', kinds: ['ResourceGroup'] },
  network: {
    version: 'v1beta1',
    kinds: [
      'VirtualNetwork',
      'Subnet',
      'ApplicationSecurityGroup',
      'SecurityGroup',
      'SecurityRule',
      'NATGateway',
      'NATGatewayPublicIPAssociation',
      'SubnetNATGatewayAssociation',
      'PublicIP',
      'LoadBalancer',
      'LoadBalancerBackendAddressPool',
      'LoadBalancerProbe',
      'LoadBalancerRule',
      'NetworkInterface',
      'NetworkInterfaceApplicationSecurityGroupAssociation',
      'NetworkInterfaceBackendAddressPoolAssociation',
      'NetworkInterfaceSecurityGroupAssociation',
    ],
  },
  managedidentity: { version: 'v1beta1', kinds: ['UserAssignedIdentity'] },
  authorization: { version: 'v1beta1', kinds: ['RoleAssignment'] },
  keyvault: { version: 'v1beta1', kinds: ['Vault', 'Secret'] },
  compute: { version: 'v1beta1', kinds: ['LinuxVirtualMachine', 'ManagedDisk', 'VirtualMachineDataDiskAttachment'] },
} as const;

type Group = keyof typeof GROUPS;
export type AzureKind = (typeof GROUPS)[Group]['kinds'][number];

const GROUP_OF: ReadonlyMap<AzureKind, Group> = new Map(
  (Object.keys(GROUPS) as Group[]).flatMap((group) => GROUPS[group].kinds.map((kind) => [kind, group] as const)),
);

export const AZURE_KINDS: readonly AzureKind[] = [...GROUP_OF.keys()];

/** What the machine step composes, by kind, with its composition resource names; all other kinds belong to the cluster step. */
export const MACHINE_RESOURCES = {
  LinuxVirtualMachine: ['instance'],
  ManagedDisk: ['disk-*'],
  VirtualMachineDataDiskAttachment: ['attached-*'],
  NetworkInterface: ['nic'],
  NetworkInterfaceApplicationSecurityGroupAssociation: ['machines-*'],
  NetworkInterfaceBackendAddressPoolAssociation: ['endpoint'],
  NetworkInterfaceSecurityGroupAssociation: ['security-group'],
  Secret: ['custom-data', 'first-boot-data-*', 'first-boot-packed'],
} as const satisfies Partial<Record<AzureKind, readonly string[]>>;

export const MACHINE_KINDS: ReadonlySet<AzureKind> = new Set(Object.keys(MACHINE_RESOURCES) as AzureKind[]);

/** Kinds of the cluster step with a field for the region. */
const LOCATED: ReadonlySet<AzureKind> = new Set([
  'ResourceGroup',
  'VirtualNetwork',
  'ApplicationSecurityGroup',
  'SecurityGroup',
  'NATGateway',
  'PublicIP',
  'LoadBalancer',
  'UserAssignedIdentity',
  'Vault',
]);

/** Kinds of the cluster step that name their resource group; others are part of an object that does, or relate two. */
const GROUPED: ReadonlySet<AzureKind> = new Set([
  ...[...LOCATED].filter((kind) => kind !== 'ResourceGroup'),
  'Subnet',
  'SecurityRule',
]);

/** Kinds whose id the cloud gives. Of every other kind the name is part of the id: an object of that name is adopted. */
const GIVEN_IDS: ReadonlySet<AzureKind> = new Set([
  'NATGatewayPublicIPAssociation',
  'SubnetNATGatewayAssociation',
  'UserAssignedIdentity',
  'RoleAssignment',
]);

/** Such as compute.azure.m.upbound.io. */
export function groupOf(kind: AzureKind): string {
  const service = serviceOf(kind);
  return service === '' ? DOMAIN : `${service}.${DOMAIN}`;
}

export function apiVersionOf(kind: AzureKind): string {
  return `${groupOf(kind)}/${GROUPS[serviceOf(kind)].version}`;
}

export function hasLocation(kind: AzureKind): boolean {
  return LOCATED.has(kind);
}

export function namesGroup(kind: AzureKind): boolean {
  return GROUPED.has(kind);
}

/** Of kinds of the cluster step. */
export function isNamed(kind: AzureKind): boolean {
  return !GIVEN_IDS.has(kind);
}

/** Whether an object is an Azure resource of any kind and version. */
export function isOfAzure({ apiVersion }: KubeObject): boolean {
  const group = apiVersion.split('/')[0] ?? '';
  return group === DOMAIN || group.endsWith(`.${DOMAIN}`);
}

function serviceOf(kind: AzureKind): Group {
  return GROUP_OF.get(kind) ?? '';
}
