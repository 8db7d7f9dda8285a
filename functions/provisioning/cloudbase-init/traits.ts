/** What other steps must know about data for Cloudbase-Init. */
import type { ProvisionerTraits } from '#lib/cloud/traits.ts';

export const traits: ProvisionerTraits = {
  // A separate format name, because the script that fetches a cloud-config is a shell script.
  payload: 'cloudbase-init',
  contentType: 'text/cloud-config',
  fetchedWhole: false,
  joinSecrets: true,
};
