/** What other steps must know about data for Talos Linux. */
import type { ProvisionerTraits } from '#lib/cloud/traits.ts';

export const traits: ProvisionerTraits = {
  payload: 'talos',
  contentType: 'application/yaml',
  fetchedWhole: false,
  joinSecrets: true,
};
