/** What other steps must know of data for Bottlerocket. */
import type { ProvisionerTraits } from '#lib/cloud/traits.ts';

export const traits: ProvisionerTraits = {
  payload: 'bottlerocket',
  contentType: 'application/toml',
  fetchedWhole: false,
  // The node is authorized by the role of its instance, so there is no join secret. Fields of the claim are in the data
  // all the same.
  joinSecrets: false,
};
