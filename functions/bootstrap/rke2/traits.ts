/** What other steps must know about RKE2. */
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

/** Port of the supervisor, where joining machines register. */
export const SUPERVISOR_PORT = 9345;

export const traits = {
  membership: { kind: 'RKE2' },
  hasShell: true,
  updatesKubernetes: false,
  sources: ['installer'],
  joinPorts: [{ name: 'rke2-supervisor', description: 'Supervisor of RKE2', port: SUPERVISOR_PORT }],
  // Flannel as part of canal, on the VXLAN port of the kernel.
  podTraffic: [{ name: 'vxlan', description: 'VXLAN (flannel)', protocol: 'udp', fromPort: 8472, toPort: 8472 }],
  imagePullers: ['rke2-server', 'rke2-agent'],
} as const satisfies BootstrapperTable;
