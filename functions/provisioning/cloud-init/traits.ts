/** What other steps must know about data for cloud-init. */
import type { ProvisionerTraits } from '#lib/cloud/traits.ts';

export const traits = {
  payload: 'cloud-config',
  contentType: 'text/cloud-config',
  fetchedWhole: true,
  joinSecrets: true,
  writes: ['/etc/slipway/bootstrap.sh'],
  expresses: {
    takes: ['scripted'],
    // Ubuntu has it; others can.
    has: ['snapd'],
    limits: {
      kernelArguments: 'an image that boots with them',
      registries: 'files',
    },
  },
} as const satisfies ProvisionerTraits;
