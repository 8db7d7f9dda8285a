/**
 * What machines take from their Cluster, as a hash. A control plane takes one half of an edit from its own spec, the other
 * from its Cluster: the Cluster writes the hash on the pool, which begins nothing until both halves are of the same edit.
 */
import { at, type KubeObject } from '#lib/api/json.ts';
import { shortHash } from '#lib/api/names.ts';

/** @param cluster as the API server has it: the Cluster and its pool see the same object */
export function clusterSettings({ spec }: KubeObject): string {
  return shortHash(['version', 'region', 'bootstrap', 'provisioning'].map((field) => at(spec, field) ?? null));
}
