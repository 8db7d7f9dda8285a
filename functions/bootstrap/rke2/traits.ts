/** What other steps must know of RKE2. */
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

/** Of the supervisor, with which joiners register. */
export const SUPERVISOR_PORT = 9345;

export const traits = {
  removesEtcdMember: false,
  hasShell: true,
  updatesKubernetes: false,
  joinPorts: [{ name: 'rke2-supervisor', description: 'Supervisor of RKE2', port: SUPERVISOR_PORT }],
  // Flannel as a part of canal, at the kernel's port for VXLAN.
  podTraffic: [{ name: 'vxlan', description: 'VXLAN (flannel)', protocol: 'udp', fromPort: 8472, toPort: 8472 }],
  imagePullers: ['rke2-server', 'rke2-agent'],
} as const satisfies BootstrapperTable;
