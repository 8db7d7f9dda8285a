/** What other steps must know about nodeadm: EKS runs the control plane, and its etcd. */
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

export const traits = {
  plan: { kind: 'nodeadm' },
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
