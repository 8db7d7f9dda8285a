/** What other steps must know about MicroK8s. */
import { AUTH_TOKEN } from '#lib/api/auth-token.ts';
import { MICROK8S_AGENT_PORT } from '#lib/api/microk8s.ts';
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

export const traits = {
  plan: {
    kind: 'scripted',
    needs: ['snapd'],
    writes: [
      { path: '/var/snap/microk8s/common/.microk8s.yaml' },
      { path: '/var/snap/microk8s/common/slipway/kubelet.yaml' },
      { path: '/var/snap/microk8s/common/slipway/ca.crt' },
      { path: '/var/snap/microk8s/common/slipway/ca.key', role: 'control-plane' },
      { path: '/capi/etc/token', role: 'control-plane' },
      { path: '/etc/slipway/microk8s-install.sh' },
      { path: '/etc/slipway/microk8s-start.sh' },
      { path: '/var/snap/microk8s/common/slipway/certs.d/<host>/ca.crt', with: 'certificate of a registry' },
    ],
  },
  hasShell: true,
  updatesKubernetes: false,
  updatesRegistries: true,
  joinPorts: [{ name: 'cluster-agent', description: 'Cluster agent of MicroK8s', port: MICROK8S_AGENT_PORT }],
  membership: { kind: 'MicroK8s', store: 'dqlite', secretSuffix: AUTH_TOKEN.suffix },
  // Calico as MicroK8s configures it.
  podTraffic: [{ name: 'vxlan', description: 'VXLAN (calico)', protocol: 'udp', fromPort: 4789, toPort: 4789 }],
  // The first version whose launch configuration has the blocks of pods and Services.
  minors: { oldest: 28 },
  controlPlaneNodes: {
    'node-role.kubernetes.io/control-plane': null,
    'node.kubernetes.io/microk8s-controlplane': 'microk8s-controlplane',
  },
  brings: [
    { part: 'network', unless: [] },
    { part: 'kube-proxy', unless: [] },
    { part: 'dns', unless: [] },
  ],
} as const satisfies BootstrapperTable;
