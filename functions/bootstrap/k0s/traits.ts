/** What other steps must know of k0s. */
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

/** Of the API by which controllers join. */
export const JOIN_PORT = 9443;

export const traits = {
  removesEtcdMember: false,
  hasShell: true,
  updatesKubernetes: false,
  // Konnectivity keeps k0s' default.
  joinPorts: [
    { name: 'konnectivity', description: 'Konnectivity of k0s', port: 8132 },
    { name: 'k0s-api', description: 'Join API of k0s controllers', port: JOIN_PORT },
  ],
  minors: {
    // The first that reads drop-ins for containerd.
    oldest: 27,
    since: { 'containerd 2': 36 },
  },
} as const satisfies BootstrapperTable;
