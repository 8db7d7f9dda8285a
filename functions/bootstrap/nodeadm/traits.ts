/** What other steps must know about nodeadm: EKS runs the control plane, and its etcd. */
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

export const traits = {
  hasShell: true,
  updatesKubernetes: false,
} as const satisfies BootstrapperTable;
