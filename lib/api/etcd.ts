/** Where etcd runs, which decides how control-plane machines may be removed. */
import { at } from './json.ts';

interface Certificates {
  readonly etcd?: 'Local' | 'External' | undefined;
}

/**
 * Whether control-plane machines are etcd members.
 * @param config `spec.bootstrap.config`
 * @param external path of the external etcd in the config of the bootstrapper; undefined if it does not support one
 * @param certificates of the Cluster status: once certificates are created, this record decides, because a claim with
 *   another value is refused and etcd does not move
 */
export function runsEtcd(
  config: unknown,
  external: readonly string[] | undefined,
  certificates?: Certificates,
): boolean {
  if (certificates !== undefined) return certificates.etcd !== 'External';
  return external === undefined || at(config, ...external) === undefined;
}
