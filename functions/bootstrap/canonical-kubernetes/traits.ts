/** What other steps must know about Canonical Kubernetes. */
import { AUTH_TOKEN } from '#lib/api/auth-token.ts';
import { K8SD_PORT } from '#lib/api/k8sd.ts';
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

export const traits = {
  plan: {
    kind: 'scripted',
    needs: ['snapd'],
    writes: [
      { path: '/etc/slipway/k8s.yaml' },
      { path: '/etc/slipway/k8s-auth-token', role: 'control-plane' },
      { path: '/etc/slipway/k8sd-proxy.yaml', role: 'control-plane' },
      { path: '/etc/slipway/k8s-join-token' },
      { path: '/etc/slipway/k8s-install.sh' },
      { path: '/etc/slipway/k8s-start.sh' },
      { path: '/etc/containerd/hosts.d/<host>/hosts.toml', with: 'registry' },
      { path: '/etc/containerd/hosts.d/<host>/ca.crt', with: 'certificate of a registry' },
      { path: '/etc/systemd/system/snap.k8s.containerd.service.d/90-slipway-proxy.conf', with: 'proxy' },
      { path: '/etc/systemd/system/snap.k8s.k8sd.service.d/90-slipway-proxy.conf', with: 'proxy' },
    ],
  },
  hasShell: true,
  updatesKubernetes: false,
  updatesRegistries: true,
  joinPorts: [{ name: 'k8sd', description: 'k8sd of Canonical Kubernetes', port: K8SD_PORT }],
  membership: { kind: 'CanonicalKubernetes', secretSuffix: AUTH_TOKEN.suffix },
  // Defaults of Cilium: its tunnel, and the health checks of its agents.
  podTraffic: [
    { name: 'vxlan', description: 'VXLAN (cilium)', protocol: 'udp', fromPort: 8472, toPort: 8472 },
    { name: 'health', description: 'Health (cilium)', protocol: 'tcp', fromPort: 4240, toPort: 4240 },
  ],
  // The first version that uses etcd, on ports that are open between control planes.
  minors: { oldest: 34 },
  brings: [
    { part: 'network', unless: [{ field: ['cluster-config', 'network', 'enabled'], is: [false] }] },
    { part: 'kube-proxy', unless: [] },
    { part: 'dns', unless: [{ field: ['cluster-config', 'dns', 'enabled'], is: [false] }] },
  ],
} as const satisfies BootstrapperTable;
