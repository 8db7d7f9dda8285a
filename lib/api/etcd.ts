/** Where etcd runs, which decides what going without a control-plane machine costs. */
import { at } from './json.ts';

interface Certificates {
  readonly etcd?: 'Local' | 'External' | undefined;
}

/**
 * Whether control-plane machines are etcd's members.
 * @param config  `spec.bootstrap.config`
 * @param external  where the bootstrapper is told of an etcd that somebody else runs; undefined when it cannot be
 * @param certificates  of the Cluster's status: once they are made what they record decides, since a claim that says
 *   otherwise is refused and etcd stays where it is
 */
export function runsEtcd(
  config: unknown,
  external: readonly string[] | undefined,
  certificates?: Certificates,
): boolean {
  if (certificates !== undefined) return certificates.etcd !== 'External';
  return external === undefined || at(config, ...external) === undefined;
}
