/** What other steps must know about data for Talos Linux. */
import type { ProvisionerTraits } from '#lib/cloud/traits.ts';

const NO_USERS = 'nothing: Talos has no users and no logins';

export const traits = {
  payload: 'talos',
  contentType: 'application/yaml',
  fetchedWhole: false,
  packs: false,
  joinSecrets: true,
  systems: ['Talos Linux'],
  expresses: {
    takes: ['talos'],
    limits: {
      users: NO_USERS,
      groups: NO_USERS,
      commands: 'a DaemonSet in spec.bootstrap.config.inlineManifests, since Talos has no shell',
      packages: 'an image with system extensions',
      units: 'an image with system extensions, or a DaemonSet in spec.bootstrap.config.inlineManifests',
      timezone: 'UTC, the only time zone of Talos',
      disks: 'filesystems and mounts of whole disks, or raw.talos with UserVolumeConfig',
      swap: 'raw.talos with SwapVolumeConfig, since Talos swaps to disks, not files',
    },
  },
} as const satisfies ProvisionerTraits;
