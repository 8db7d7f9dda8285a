/** What other steps must know about data for nodeadm. */
import type { ProvisionerTraits } from '#lib/cloud/traits.ts';

export const traits = {
  payload: 'nodeadm',
  contentType: 'multipart/mixed',
  fetchedWhole: false,
  // The role of its instance authorizes the node, so there is no join secret. The data still contains fields of the
  // claim.
  joinSecrets: false,
  writes: ['/etc/slipway/bootstrap.sh'],
  systems: ['Amazon Linux 2023'],
  expresses: {
    takes: ['nodeadm'],
    raws: ['cloud-init'],
    limits: {
      kernelArguments: 'an image that boots with them',
      registries: 'a bootstrap provider that supports them, or files',
    },
  },
} as const satisfies ProvisionerTraits;
