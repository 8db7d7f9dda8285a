/** What other steps must know about data for Bottlerocket. */
import type { ProvisionerTraits } from '#lib/cloud/traits.ts';

const CONTAINERS = 'raw.bottlerocket with bootstrap-containers or host-containers, or a DaemonSet';
const STORAGE =
  'the volumes of its image, or spec.bootstrap.config.bootstrap-commands with apiclient ephemeral-storage';

export const traits = {
  payload: 'bottlerocket',
  contentType: 'application/toml',
  fetchedWhole: false,
  // The role of its instance authorizes the node, so there is no join secret. The data still contains fields of the
  // claim.
  joinSecrets: false,
  systems: ['Bottlerocket'],
  expresses: {
    takes: ['bottlerocket'],
    limits: {
      files: CONTAINERS,
      users: 'raw.bottlerocket with host-containers.admin, whose user-data holds SSH keys',
      groups: 'nothing: logins happen in a container',
      commands: CONTAINERS,
      packages: CONTAINERS,
      units: CONTAINERS,
      timezone: 'UTC, the only time zone of Bottlerocket',
      disks: STORAGE,
      filesystems: STORAGE,
      mounts: STORAGE,
      swap: 'nothing: Bottlerocket has none',
    },
  },
} as const satisfies ProvisionerTraits;
