/** What other steps must know about MicroK8s. */
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

/** Port of the cluster agent, where machines join. */
export const AGENT_PORT = 25_000;

export const traits = {
  hasShell: true,
  updatesKubernetes: false,
  joinPorts: [{ name: 'cluster-agent', description: 'Cluster agent of MicroK8s', port: AGENT_PORT }],
  // Calico as MicroK8s configures it.
  podTraffic: [{ name: 'vxlan', description: 'VXLAN (calico)', protocol: 'udp', fromPort: 4789, toPort: 4789 }],
  // The first version whose launch configuration has the blocks of pods and Services.
  minors: { oldest: 28 },
} as const satisfies BootstrapperTable;
