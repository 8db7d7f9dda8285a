/** What other steps must know about Canonical Kubernetes. */
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

export const traits = {
  hasShell: true,
  updatesKubernetes: false,
  joinPorts: [{ name: 'k8sd', description: 'k8sd of Canonical Kubernetes', port: 6400 }],
  // Defaults of Cilium: its tunnel, and the health checks of its agents.
  podTraffic: [
    { name: 'vxlan', description: 'VXLAN (cilium)', protocol: 'udp', fromPort: 8472, toPort: 8472 },
    { name: 'health', description: 'Health (cilium)', protocol: 'tcp', fromPort: 4240, toPort: 4240 },
  ],
  // The first version that uses etcd, on ports that are open between control planes.
  minors: { oldest: 34 },
} as const satisfies BootstrapperTable;
