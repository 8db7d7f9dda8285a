/**
 * What a cluster is called in its cloud, in names and tags: several teams, and several management clusters, may share
 * one account, and each may have a cluster called prod.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { joinName, shortHash } from '#lib/api/names.ts';

/** Leaves room for what follows it in the names of a cloud, such as -control-plane in 64 characters. */
const LONGEST = 50;

/**
 * The id of a new cluster, such as team-a-prod-x7k2m9. A cloud keeps the id that a cluster was created with.
 * @param managementCluster  as its input names it; left out, the uid of the claim tells clusters apart
 */
export function newClusterID({ metadata = {} }: KubeObject, managementCluster: string | undefined): string {
  const { namespace = '', name = '', uid = '' } = metadata;
  return joinName([namespace, name, shortHash([managementCluster ?? uid, namespace, name], 6)], LONGEST);
}
