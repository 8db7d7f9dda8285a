/** What other steps must know about data for Ignition, of both specifications. */
import type { ProvisionerTraits } from '#lib/cloud/traits.ts';

const LIMITS = {
  packages: 'an image that has them, or files and commands.pre',
  registries: 'a bootstrap provider that supports them, or files',
} as const;

export const traits = {
  payload: 'ignition',
  contentType: 'application/vnd.coreos.ignition+json',
  // Ignition runs no script before it reads its data, so generated data is separate if it can be fetched.
  fetchedWhole: false,
  apart: true,
  joinSecrets: true,
  writes: ['/etc/slipway/bootstrap.sh', '/etc/hostname'],
  systems: ['Flatcar', 'Fedora CoreOS'],
  readOnlyUsr: true,
  expresses: { takes: ['scripted'], limits: LIMITS },
} as const satisfies ProvisionerTraits;

export const legacyTraits = {
  ...traits,
  apart: false,
  packs: false,
  expresses: {
    takes: ['scripted'],
    limits: { ...LIMITS, kernelArguments: 'format ignition, or an image that boots with them' },
  },
} as const satisfies ProvisionerTraits;
