/** What other steps must know of data for nodeadm. */
import type { ProvisionerTraits } from '#lib/cloud/traits.ts';

export const traits: ProvisionerTraits = {
  payload: 'nodeadm',
  contentType: 'multipart/mixed',
  fetchedWhole: false,
  // The role of the instance lets the node in. What a claim's own fields hold stands there all the same.
  joinSecrets: false,
};
