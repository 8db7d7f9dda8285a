/** A Cluster of a test as its parts see it. */
import type { KubeObject } from '#lib/api/json.ts';
import { clusterFacts } from '#lib/fn/cluster-facts.ts';

/** Its ClusterFacts; they go with it. */
export function factsFor(cluster: KubeObject): KubeObject {
  const facts = clusterFacts(cluster, undefined, true);
  if (facts === undefined) throw new Error('every Cluster of a test is accepted');
  const { deletionTimestamp } = cluster.metadata ?? {};
  if (deletionTimestamp === undefined) return facts;
  return { ...facts, metadata: { ...facts.metadata, deletionTimestamp } };
}
