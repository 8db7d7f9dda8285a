/** Values that only claims on Azure have, for the test that no field of a claim is ignored. */
import type { FlavourSamples } from '../../test/claims/flavour.ts';

const GROUP = '/subscriptions/s/resourceGroups/shared';
const NETWORK = `${GROUP}/providers/Microsoft.Network`;
const NETWORKS = `${NETWORK}/virtualNetworks`;
const IDENTITIES = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
const KEYS = `${GROUP}/providers/Microsoft.Compute/diskEncryptionSets`;
const SUBNET = `${NETWORKS}/shared/subnets/nodes`;

export const CLAIMS: FlavourSamples = {
  instanceTypes: ['Standard_D4s_v5', 'Standard_D8s_v5'],
  image: '/communityGalleries/g/images/other/versions/1.35.4',
  diskTypes: ['StandardSSD_LRS', 'Premium_LRS'],
  zone: 'westeurope-2',
  existing: {
    network: { id: `${NETWORKS}/shared` },
    subnets: [{ id: SUBNET, zone: 'westeurope-1' }],
  },
  // Capital letters in ids do not matter to Azure, and another network has other subnets.
  other: { network: `${NETWORKS}/Shared`, subnet: `${SUBNET}-other`, zone: 'westeurope-2' },
  parts: {
    securityGroups: [`${NETWORK}/networkSecurityGroups/one`, `${NETWORK}/networkSecurityGroups/two`],
    identities: [`${IDENTITIES}/one`, `${IDENTITIES}/two`],
    loadBalancerTargets: [
      `${NETWORK}/loadBalancers/api/backendAddressPools/one`,
      `${NETWORK}/loadBalancers/api/backendAddressPools/two`,
    ],
    resourceGroups: ['/subscriptions/s/resourceGroups/one', '/subscriptions/s/resourceGroups/two'],
    encryptionKeys: [`${KEYS}/one`, `${KEYS}/two`],
  },
  overrides: [
    { kind: 'LinuxVirtualMachine', patch: { spec: { forProvider: { priority: 'Spot' } } } },
    { kind: 'LoadBalancerProbe', patch: { spec: { forProvider: { intervalInSeconds: 7 } } } },
  ],
  machineInput: { azure: { userData: 'Plain', encryptionAtHost: true } },
};
