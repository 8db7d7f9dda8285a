/** Protection from deletion: of a Cluster with deletionProtection, and of the pool of a control plane. */
import type { KubeObject } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import { clusterUsage } from '#lib/fn/cluster-usage.ts';
import type { Reply } from '#lib/fn/reply.ts';
import { CONTROL_PLANE } from './control-plane.ts';
import type { Situation } from './situation.ts';

/** Composition resource names. */
export const DELETION_PROTECTION = 'deletion-protection';
export const CONTROL_PLANE_PROTECTION = 'control-plane-protection';

/** @param controlPlane  of machines, or one that the cloud runs: then there is no pool */
export function protect(reply: Reply, situation: Situation, controlPlane: 'machines' | 'managed'): void {
  if (situation.cluster.spec.deletionProtection) reply.compose(DELETION_PROTECTION, usageOfCluster(situation), true);
  if (hasPool(situation, controlPlane)) reply.compose(CONTROL_PLANE_PROTECTION, usageOfControlPlane(situation), true);
}

/** A Usage refers to an existing object. If the pool is not observed for a moment, its Usage stays. */
function hasPool({ observed, previous }: Situation, controlPlane: 'machines' | 'managed'): boolean {
  return observed.has(CONTROL_PLANE) || (controlPlane === 'machines' && previous.controlPlane?.initialized === true);
}

function usageOfCluster({ cluster }: Situation): KubeObject {
  const { name, namespace } = cluster.metadata;
  return clusterUsage({
    name: `${name}-${DELETION_PROTECTION}`,
    namespace,
    cluster: name,
    reason: 'spec.deletionProtection is true: set it to false first',
  });
}

/**
 * All etcd members would be deleted with the pool, and a new one could join none of them. The Usage names no user: a
 * Usage by the Cluster would wait for the Cluster, and the Cluster, deleted in the foreground, for the Usage.
 */
function usageOfControlPlane({ cluster }: Situation): KubeObject {
  const { name, namespace } = cluster.metadata;
  return clusterUsage({
    name: `${name}-${CONTROL_PLANE_PROTECTION}`,
    namespace,
    cluster: name,
    pool: `${name}-${CONTROL_PLANE}`,
    labels: { [LABEL.role]: CONTROL_PLANE },
    reason: `it is the control plane of Cluster "${name}": delete the Cluster instead`,
  });
}
