/** What other steps must know about nodeadm: EKS runs the control plane, and its etcd. */
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

export const traits = {
  plan: {
    kind: 'nodeadm',
    writes: [
      { path: '/etc/containerd/certs.d/<host>/hosts.toml', with: 'registry' },
      { path: '/etc/containerd/certs.d/<host>/ca.crt', with: 'certificate of a registry' },
    ],
  },
  controlPlanes: false,
  hasShell: true,
  updatesKubernetes: false,
  updatesRegistries: true,
  // EKS installs its own.
  brings: [
    { part: 'network', unless: [] },
    { part: 'kube-proxy', unless: [] },
    { part: 'dns', unless: [] },
  ],
} as const satisfies BootstrapperTable;
