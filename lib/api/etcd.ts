/** Where etcd runs, which decides what going without a control-plane machine costs. */
import { at } from './json.ts';

interface Bootstrap {
  readonly provider: string;
  readonly config: unknown;
}

interface Certificates {
  readonly etcd?: 'Local' | 'External' | undefined;
}

/**
 * Whether control-plane machines are etcd's members. Only kubeadm can be told of an etcd that somebody else runs.
 * @param certificates  of the Cluster's status: once they are made what they record decides, since a claim that says
 *   otherwise is refused and etcd stays where it is
 */
export function runsEtcd({ provider, config }: Bootstrap, certificates?: Certificates): boolean {
  if (certificates !== undefined) return certificates.etcd !== 'External';
  return provider !== 'kubeadm' || at(config, 'etcd', 'external') === undefined;
}
