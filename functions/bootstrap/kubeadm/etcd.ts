/** Where etcd runs: on the control-plane machines, or external. It is chosen once. */
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import type { KubeadmConfig } from './config.ts';

export function placeOf({ etcd: { external } }: KubeadmConfig): 'Local' | 'External' {
  return external === undefined ? 'Local' : 'External';
}

/**
 * Another etcd does not have the data: the cluster would start empty behind its endpoint.
 * @param config of the Cluster or of a control-plane machine: pools pass an edit on before the Cluster is refused
 */
export function refuseMove({ status }: Cluster, config: KubeadmConfig, owner: string): void {
  const { certificates } = status ?? {};
  const etcd = placeOf(config);
  if (certificates === undefined || (certificates.etcd ?? 'Local') === etcd) return;
  const accepted = etcd === 'Local' ? 'the external etcd it was created with' : 'nothing';
  throw refusalFor(
    owner,
    'spec.bootstrap.config.etcd.external',
    `etcd cannot move after certificates are created; accepted: ${accepted}`,
  );
}
