/** What other steps must know about RKE2. */
import { rancherFiles } from '#lib/api/rancher.ts';
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

/** Port of the supervisor, where joining machines register. */
export const SUPERVISOR_PORT = 9345;

export const traits = {
  plan: { kind: 'scripted', writes: rancherFiles('rke2', 'rke2-server', 'rke2-agent') },
  membership: { kind: 'RKE2' },
  hasShell: true,
  updatesKubernetes: false,
  updatesRegistries: true,
  sources: ['installer'],
  joinPorts: [{ name: 'rke2-supervisor', description: 'Supervisor of RKE2', port: SUPERVISOR_PORT }],
  // Flannel as part of canal, on the VXLAN port of the kernel.
  podTraffic: [{ name: 'vxlan', description: 'VXLAN (flannel)', protocol: 'udp', fromPort: 8472, toPort: 8472 }],
  imagePullers: ['rke2-server', 'rke2-agent'],
  controlPlaneNodes: { 'node-role.kubernetes.io/control-plane': 'true' },
  brings: [
    { part: 'network', unless: [{ field: ['cni'], is: ['none'] }] },
    { part: 'kube-proxy', unless: [{ field: ['disable-kube-proxy'], is: [true] }] },
    { part: 'dns', unless: [{ field: ['disable'], is: ['rke2-coredns'] }] },
  ],
} as const satisfies BootstrapperTable;
