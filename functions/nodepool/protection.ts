/** A Cluster is not deleted before its pools: each claimed pool composes a Usage of it. */
import type { KubeObject } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import { clusterUsage } from '#lib/fn/cluster-usage.ts';
import type { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import type { PoolSituation } from './situation.ts';

/** Its composition resource name. */
export const CLUSTER_USAGE = 'cluster';

/** The pool of the control plane is deleted with its Cluster. @param cluster as required; undefined: there is none */
export function protectCluster(
  reply: Reply,
  { pool }: PoolSituation,
  { observed }: Request,
  cluster: KubeObject | undefined,
): void {
  const canBeUsed = cluster !== undefined && cluster.metadata?.deletionTimestamp === undefined;
  if (pool.spec.role === 'control-plane' || (!observed.resources.has(CLUSTER_USAGE) && !canBeUsed)) return;
  // Not required for readiness: a pool of an older release may not have one yet.
  reply.compose(CLUSTER_USAGE, usageOf(pool), true);
}

function usageOf({ metadata: { name, namespace }, spec }: PoolSituation['pool']): KubeObject {
  return clusterUsage({
    name: `${name}-pool`,
    namespace,
    cluster: spec.clusterRef.name,
    labels: { [LABEL.nodePool]: name },
    reason: `NodePool "${name}" belongs to this Cluster: delete it first`,
  });
}
