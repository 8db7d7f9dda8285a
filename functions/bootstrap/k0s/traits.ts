/** What other steps must know about k0s. */
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

/** Port of the k0s API that controllers join with. */
export const JOIN_PORT = 9443;

export const traits = {
  plan: {
    kind: 'scripted',
    writes: [
      { path: '/etc/k0s.yaml', role: 'control-plane' },
      { path: '/etc/k0s.token' },
      { path: '/var/lib/k0s/pki/ca.crt', role: 'control-plane' },
      { path: '/var/lib/k0s/pki/ca.key', role: 'control-plane' },
      { path: '/var/lib/k0s/pki/etcd/ca.crt', role: 'control-plane' },
      { path: '/var/lib/k0s/pki/etcd/ca.key', role: 'control-plane' },
      { path: '/var/lib/k0s/pki/front-proxy-ca.crt', role: 'control-plane' },
      { path: '/var/lib/k0s/pki/front-proxy-ca.key', role: 'control-plane' },
      { path: '/var/lib/k0s/pki/sa.pub', role: 'control-plane' },
      { path: '/var/lib/k0s/pki/sa.key', role: 'control-plane' },
      { path: '/etc/slipway/k0s-download.sh' },
      { path: '/etc/slipway/k0s-install.sh' },
      { path: '/etc/k0s/containerd.d/slipway.toml', with: 'registry' },
      { path: '/etc/k0s/containerd.d/certs.d/<host>/hosts.toml', with: 'registry' },
      { path: '/etc/k0s/containerd.d/certs.d/<host>/ca.crt', with: 'certificate of a registry' },
      {
        path: '/etc/systemd/system/k0scontroller.service.d/90-slipway-proxy.conf',
        with: 'proxy',
        role: 'control-plane',
      },
      { path: '/etc/systemd/system/k0sworker.service.d/90-slipway-proxy.conf', with: 'proxy', role: 'worker' },
    ],
  },
  // k0s has objects for its members since 1.30.
  membership: { kind: 'K0s', since: 30 },
  hasShell: true,
  updatesKubernetes: false,
  updatesRegistries: true,
  sources: ['download'],
  // Konnectivity uses the default port of k0s.
  joinPorts: [
    { name: 'konnectivity', description: 'Konnectivity of k0s', port: 8132 },
    { name: 'k0s-api', description: 'Join API of k0s controllers', port: JOIN_PORT },
  ],
  minors: {
    // The first version that reads drop-ins for containerd.
    oldest: 27,
    since: { 'containerd 2': 36, 'network.coreDNS': 36 },
  },
  controlPlaneNodes: { 'node-role.kubernetes.io/control-plane': 'true' },
  brings: [
    { part: 'network', unless: [{ field: ['network', 'provider'], is: ['custom'] }] },
    { part: 'kube-proxy', unless: [{ field: ['disableComponents'], is: ['kube-proxy'] }] },
    { part: 'dns', unless: [{ field: ['disableComponents'], is: ['coredns'] }] },
  ],
} as const satisfies BootstrapperTable;
