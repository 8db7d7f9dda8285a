/**
 * What the machines of a pool take from its Cluster, as a hash. Crossplane does not call a pool when its Cluster
 * changes, but it does when the pool changes: a Cluster writes the hash on the pool that it composes.
 */
import { at, type KubeObject } from '#lib/api/json.ts';
import { shortHash } from '#lib/api/names.ts';

/** @param cluster as the API server has it: the Cluster and its pool see the same object */
export function clusterSettings({ spec }: KubeObject): string {
  return shortHash(['version', 'region', 'bootstrap', 'provisioning'].map((field) => at(spec, field) ?? null));
}
