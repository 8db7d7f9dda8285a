/** What other steps must know about k3s. */
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

export const traits = {
  plan: {
    kind: 'scripted',
    writes: [
      { path: '/etc/rancher/k3s/config.yaml' },
      { path: '/var/lib/rancher/k3s/server/tls/server-ca.crt', role: 'control-plane' },
      { path: '/var/lib/rancher/k3s/server/tls/server-ca.key', role: 'control-plane' },
      { path: '/var/lib/rancher/k3s/server/tls/client-ca.crt', role: 'control-plane' },
      { path: '/var/lib/rancher/k3s/server/tls/client-ca.key', role: 'control-plane' },
      { path: '/var/lib/rancher/k3s/server/tls/request-header-ca.crt', role: 'control-plane' },
      { path: '/var/lib/rancher/k3s/server/tls/request-header-ca.key', role: 'control-plane' },
      { path: '/var/lib/rancher/k3s/server/tls/etcd/server-ca.crt', role: 'control-plane' },
      { path: '/var/lib/rancher/k3s/server/tls/etcd/server-ca.key', role: 'control-plane' },
      { path: '/var/lib/rancher/k3s/server/tls/etcd/peer-ca.crt', role: 'control-plane' },
      { path: '/var/lib/rancher/k3s/server/tls/etcd/peer-ca.key', role: 'control-plane' },
      { path: '/var/lib/rancher/k3s/server/tls/service.key', role: 'control-plane' },
    ],
  },
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
