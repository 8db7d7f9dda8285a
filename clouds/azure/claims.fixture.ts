/** Values that only claims on Azure have, for the test that no field of a claim is ignored. */
import type { FlavourSamples } from '../../test/claims/flavour.ts';

const NETWORKS = '/subscriptions/s/resourceGroups/shared/providers/Microsoft.Network/virtualNetworks';
const SUBNET = `${NETWORKS}/shared/subnets/nodes`;

export const CLAIMS: FlavourSamples = {
  instanceTypes: ['Standard_D4s_v5', 'Standard_D8s_v5'],
  image: '/communityGalleries/g/images/other/versions/1.35.4',
  diskType: 'StandardSSD_LRS',
  zone: 'westeurope-2',
  existing: {
    network: { id: `${NETWORKS}/shared` },
    subnets: [{ id: SUBNET, zone: 'westeurope-1' }],
  },
  // Capital letters in ids do not matter to Azure, and another network has other subnets.
  other: { network: `${NETWORKS}/Shared`, subnet: `${SUBNET}-other`, zone: 'westeurope-2' },
  refusedFirst: {
    'infrastructure.existing.securityGroups.worker': 'infrastructure.existing.securityGroups.controlPlane',
    'infrastructure.existing.identities.worker': 'infrastructure.existing.identities.controlPlane',
    'infrastructure.existing.loadBalancerTargets[].port': 'infrastructure.existing.loadBalancerTargets[0].id',
  },
  parts: { securityGroups: ['one', 'two'], identities: ['one', 'two'], loadBalancerTargets: ['one', 'two'] },
  overrides: [
    { kind: 'LinuxVirtualMachine', patch: { spec: { forProvider: { priority: 'Spot' } } } },
    { kind: 'LoadBalancerProbe', patch: { spec: { forProvider: { intervalInSeconds: 7 } } } },
  ],
  machineInput: { azure: { userData: 'Plain', encryptionAtHost: true } },
};
