/** What other steps must know about k3s. */
import { rancherFiles } from '#lib/api/rancher.ts';
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

export const traits = {
  plan: { kind: 'scripted', writes: rancherFiles('k3s', 'k3s', 'k3s-agent') },
  membership: { kind: 'K3s' },
  hasShell: true,
  updatesKubernetes: false,
  updatesRegistries: true,
  sources: ['installer'],
  // Flannel on the VXLAN port of the kernel.
  podTraffic: [{ name: 'vxlan', description: 'VXLAN (flannel)', protocol: 'udp', fromPort: 8472, toPort: 8472 }],
  imagePullers: ['k3s', 'k3s-agent'],
  controlPlaneNodes: { 'node-role.kubernetes.io/control-plane': 'true' },
  brings: [
    { part: 'network', unless: [{ field: ['flannel-backend'], is: ['none'] }] },
    { part: 'kube-proxy', unless: [{ field: ['disable-kube-proxy'], is: [true] }] },
    { part: 'dns', unless: [{ field: ['disable'], is: ['coredns'] }] },
  ],
} as const satisfies BootstrapperTable;
