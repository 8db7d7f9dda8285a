/** What Azure makes of the fields of a claim. */
import { type FlavourColumn, honoured, mapped, refused } from '#lib/api/support/support.ts';

export const AZURE_SUPPORT: FlavourColumn = {
  title: 'Azure',
  fields: {
    version: mapped('the image of the version'),
    region: mapped('a region of Azure, by `regions` of the catalog'),
    'network.pods': honoured(),
    'network.services': honoured(),
    'network.nodes': honoured('VirtualNetwork addressSpace, Subnet addressPrefixes'),
    'network.dnsDomain': honoured(),
    'controlPlane.replicas': honoured(),
    'controlPlane.endpoint.host': honoured(),
    'controlPlane.endpoint.port': honoured(),
    'controlPlane.scheme': honoured('LoadBalancer frontendIpConfiguration'),
    'controlPlane.allowedCIDRs': honoured('SecurityRule sourceAddressPrefixes'),
    'machine.class': mapped('a size of Azure, by `classes` of the catalog'),
    'machine.instanceType': honoured('LinuxVirtualMachine size'),
    'machine.image': mapped('an image, by `images` of the catalog'),
    'machine.os': honoured(),
    'machine.rootDisk.sizeGiB': honoured('LinuxVirtualMachine osDisk.diskSizeGb'),
    'machine.rootDisk.type': honoured('LinuxVirtualMachine osDisk.storageAccountType'),
    'machine.rootDisk.encrypted': mapped(
      'encryption at the host, if the Composition has it; disks themselves are always encrypted',
    ),
    'machine.zones': honoured('LinuxVirtualMachine zone'),
    failureDomain: honoured('LinuxVirtualMachine zone'),
    'bootstrap.provider': honoured(),
    'bootstrap.config': honoured(),
    'provisioning.format': honoured(),
    'infrastructure.existing.network.id': honoured('NetworkInterface ipConfiguration.subnetId'),
    'infrastructure.existing.subnets[].id': honoured('NetworkInterface ipConfiguration.subnetId'),
    'infrastructure.existing.subnets[].zone': honoured('LinuxVirtualMachine zone'),
    'infrastructure.existing.subnets[].public': refused('false, since subnets of Azure are neither public nor private'),
    'infrastructure.existing.securityGroups.controlPlane': honoured(
      'NetworkInterfaceSecurityGroupAssociation networkSecurityGroupId',
    ),
    'infrastructure.existing.securityGroups.worker': honoured(
      'NetworkInterfaceSecurityGroupAssociation networkSecurityGroupId',
    ),
    'infrastructure.existing.identities.controlPlane': honoured('LinuxVirtualMachine identity.identityIds'),
    'infrastructure.existing.identities.worker': honoured('LinuxVirtualMachine identity.identityIds'),
    'infrastructure.existing.loadBalancerTargets[].id': honoured(
      'NetworkInterfaceBackendAddressPoolAssociation backendAddressPoolId',
    ),
    'infrastructure.existing.loadBalancerTargets[].port': refused(
      '6443, since the rules of the load balancer say to which port of a machine they lead',
    ),
    'infrastructure.existing.resourceGroup.id': honoured('resourceGroupName'),
    'infrastructure.existing.encryptionKey.id': honoured('LinuxVirtualMachine osDisk.diskEncryptionSetId'),
    'infrastructure.overrides[].kind': honoured(),
    'infrastructure.overrides[].resource': honoured(),
    'infrastructure.overrides[].patch': honoured(),
    'infrastructure.providerConfigRef.kind': honoured('providerConfigRef.kind'),
    'infrastructure.providerConfigRef.name': honoured('providerConfigRef.name'),
  },
};
