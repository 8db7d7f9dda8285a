/** What other steps must know about Bottlerocket: EKS runs the control plane, and its etcd. */
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

export const traits = {
  plan: { kind: 'bottlerocket' },
  controlPlanes: false,
  hasShell: false,
  updatesKubernetes: false,
  // EKS installs its own.
  brings: [
    { part: 'network', unless: [] },
    { part: 'kube-proxy', unless: [] },
    { part: 'dns', unless: [] },
  ],
} as const satisfies BootstrapperTable;
