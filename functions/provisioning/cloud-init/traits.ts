/** What other steps must know about data for cloud-init. */
import type { ProvisionerTraits } from '#lib/cloud/traits.ts';

export const traits: ProvisionerTraits = {
  payload: 'cloud-config',
  contentType: 'text/cloud-config',
  fetchedWhole: true,
  joinSecrets: true,
};
