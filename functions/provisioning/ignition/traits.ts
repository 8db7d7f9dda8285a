/** What other steps must know about data for Ignition, of both specifications. */
import type { ProvisionerTraits } from '#lib/cloud/traits.ts';

export const traits: ProvisionerTraits = {
  payload: 'ignition',
  contentType: 'application/vnd.coreos.ignition+json',
  // Ignition runs no script before it reads its data, so generated data is separate if it can be fetched.
  fetchedWhole: false,
  joinSecrets: true,
};
