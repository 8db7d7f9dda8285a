/** What other steps must know about Talos Linux. */
import type { BootstrapperTable, Minors } from '#lib/cloud/traits.ts';

/** Kubernetes by release of Talos: the support matrix of its documentation. */
export const RELEASES = {
  '1.13': { oldest: 31, newest: 36 },
  '1.14': { oldest: 32, newest: 37 },
} as const satisfies Readonly<Record<string, Minors>>;

export type Release = keyof typeof RELEASES;

export const USUAL_RELEASE: Release = '1.13';

export const traits = {
  plan: { kind: 'talos' },
  membership: { kind: 'Talos', secretSuffix: 'talosconfig' },
  hasShell: false,
  updatesKubernetes: false,
  joinPorts: [
    { name: 'talos-api', description: 'Talos API', port: 50_000 },
    { name: 'trustd', description: 'Certificates of the Talos API', port: 50_001 },
  ],
  // It has no guest agent of a cloud, and runs no unit of ours.
  takesAddress: false,
  // Flannel on the registered VXLAN port.
  podTraffic: [{ name: 'vxlan', description: 'VXLAN (flannel)', protocol: 'udp', fromPort: 4789, toPort: 4789 }],
  minors: { oldest: RELEASES['1.13'].oldest, newest: RELEASES['1.14'].newest },
  releases: { of: 'Talos', field: 'talosVersion', usual: USUAL_RELEASE, minors: RELEASES },
  brings: [
    { part: 'network', unless: [{ field: ['cni', 'name'], is: ['none'] }] },
    { part: 'kube-proxy', unless: [{ field: ['proxy', 'disabled'], is: [true] }] },
    { part: 'dns', unless: [{ field: ['coreDNS', 'disabled'], is: [true] }] },
  ],
} as const satisfies BootstrapperTable;
