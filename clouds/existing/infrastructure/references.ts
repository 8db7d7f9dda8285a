/** Hosts are not in a cloud, so that nothing of one can be named. */
import type { References } from '#lib/cloud/references.ts';

const NONE = 'none, since hosts are in no cloud';

export const REFERENCES: References = {
  network: NONE,
  subnets: NONE,
  securityGroups: NONE,
  identities: NONE,
  loadBalancerTargets: NONE,
  resourceGroup: NONE,
  encryptionKey: NONE,
};
