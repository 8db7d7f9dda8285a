/** What hosts of somebody else make of the fields of a claim. */
import { type FlavourColumn, honoured, mapped, refused } from '#lib/api/support/support.ts';

const IN_A_NETWORK = 'none, since hosts are in a network already';

const NO_ACCOUNT = 'none, since hosts are in no account of a cloud';

export const EXISTING_SUPPORT: FlavourColumn = {
  title: 'existing hosts',
  fields: {
    version: mapped('the image of the version, which the owner of hosts installs'),
    region: mapped('the region that hosts name, by `regions` of the catalog'),
    'network.pods': honoured(),
    'network.services': honoured(),
    'network.nodes': refused('none, since hosts have their addresses already'),
    'network.dnsDomain': honoured(),
    'controlPlane.replicas': honoured(),
    'controlPlane.endpoint.host': honoured(),
    'controlPlane.endpoint.port': honoured(),
    'controlPlane.scheme': refused('none, since the owner of the endpoint chooses its addresses'),
    'controlPlane.allowedCIDRs': refused('none, since the owner of the endpoint decides who may reach it'),
    'machine.class': mapped('the size that hosts name, by `classes` of the catalog'),
    'machine.instanceType': honoured('HostClaim size'),
    'machine.image': mapped('what the owner installs, by `images` of the catalog'),
    'machine.os': honoured(),
    'machine.capacityType': refused('on-demand', 'on-demand'),
    'machine.rootDisk.sizeGiB': honoured('HostClaim rootDisk.sizeGiB'),
    'machine.rootDisk.type': mapped('a wish that the owner of hosts reads in the HostClaim'),
    'machine.rootDisk.encrypted': mapped('a wish that the owner of hosts reads in the HostClaim'),
    'machine.dataDisks[].name': honoured('HostClaim dataDisks[].name'),
    'machine.dataDisks[].sizeGiB': honoured('HostClaim dataDisks[].sizeGiB'),
    'machine.dataDisks[].type': mapped('a wish that the owner of hosts reads in the HostClaim'),
    'machine.dataDisks[].encrypted': mapped('a wish that the owner of hosts reads in the HostClaim'),
    'machine.zones': honoured('HostClaim failureDomain'),
    failureDomain: honoured('HostClaim failureDomain'),
    'bootstrap.provider': honoured(),
    'bootstrap.config': honoured(),
    'provisioning.format': honoured(),
    'infrastructure.existing.network.id': refused(IN_A_NETWORK),
    'infrastructure.existing.subnets[].id': refused(IN_A_NETWORK),
    'infrastructure.existing.subnets[].zone': refused(IN_A_NETWORK),
    'infrastructure.existing.subnets[].public': refused(IN_A_NETWORK),
    'infrastructure.existing.securityGroups.controlPlane': refused(IN_A_NETWORK),
    'infrastructure.existing.securityGroups.worker': refused(IN_A_NETWORK),
    'infrastructure.existing.identities.controlPlane': refused('none, since hosts have no identity'),
    'infrastructure.existing.identities.worker': refused('none, since hosts have no identity'),
    'infrastructure.existing.loadBalancerTargets[].id': refused(
      'none, since the owner of the endpoint leads it to the hosts',
    ),
    'infrastructure.existing.loadBalancerTargets[].port': refused(
      'none, since the owner of the endpoint leads it to the hosts',
    ),
    'infrastructure.existing.resourceGroup.id': refused('none, since hosts are in no cloud'),
    'infrastructure.existing.encryptionKey.id': refused('none, since hosts have their disks already'),
    'infrastructure.overrides[].kind': honoured(),
    'infrastructure.overrides[].resource': honoured(),
    'infrastructure.overrides[].patch': honoured(),
    'infrastructure.overrides[].patchFrom.configMap.name': honoured(),
    'infrastructure.overrides[].patchFrom.configMap.key': honoured(),
    'infrastructure.providerConfigRef.kind': refused(NO_ACCOUNT),
    'infrastructure.providerConfigRef.name': refused(NO_ACCOUNT),
  },
};
