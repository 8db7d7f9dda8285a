/** Managed resources of Azure that a claim may name instead of ids. */
import { referable, type References } from '#lib/cloud/references.ts';
import { apiVersionOf } from '../kinds.ts';

const NETWORK = apiVersionOf('VirtualNetwork');

export const REFERENCES: References = {
  network: referable(NETWORK, ['VirtualNetwork']),
  subnets: referable(NETWORK, ['Subnet']),
  securityGroups: referable(NETWORK, ['SecurityGroup', 'ApplicationSecurityGroup']),
  identities: referable(apiVersionOf('UserAssignedIdentity'), ['UserAssignedIdentity']),
  loadBalancerTargets: referable(NETWORK, ['LoadBalancerBackendAddressPool']),
  resourceGroup: referable(apiVersionOf('ResourceGroup'), ['ResourceGroup']),
  encryptionKey: 'the id of a disk encryption set',
};
