/** Where etcd runs, which decides what going without a control-plane machine costs. */
import { at } from './json.ts';

interface Bootstrap {
  readonly provider: string;
  readonly config: unknown;
}

/** Whether control-plane machines are etcd's members. Only kubeadm can be told of an etcd that somebody else runs. */
export function runsEtcd({ provider, config }: Bootstrap): boolean {
  return provider !== 'kubeadm' || at(config, 'etcd', 'external') === undefined;
}
