/**
 * A Cluster is not deleted before its pools, nor before their nodes are drained: each claimed pool composes two Usages of
 * it. One stays until the pool is deleted, and the other until the last of its nodes is gone.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { joinName, shortHash } from '#lib/api/names.ts';
import { API_VERSION, clusterLabels, CROSSPLANE, LABEL, NODE_API_VERSION } from '#lib/api/words.ts';
import { clusterUsage } from '#lib/fn/cluster-usage.ts';
import type { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import type { PoolSituation } from './situation.ts';

/** Composition resource names. */
export const CLUSTER_USAGE = 'cluster';
export const NODES = 'nodes';
export const NODES_USAGE = 'cluster-nodes';

/** The pool of the control plane is deleted with its Cluster. @param cluster as required; undefined: there is none */
export function protectCluster(
  reply: Reply,
  { pool }: PoolSituation,
  { observed }: Request,
  cluster: KubeObject | undefined,
): void {
  const canBeUsed = cluster !== undefined && cluster.metadata?.deletionTimestamp === undefined;
  if (pool.spec.role === 'control-plane' || (!observed.resources.has(CLUSTER_USAGE) && !canBeUsed)) return;
  reply.compose(CLUSTER_USAGE, usageOf(pool), true);
  reply.compose(NODES, nodesOf(pool), true);
  // A Usage refers to objects that exist.
  if (observed.resources.has(NODES)) reply.compose(NODES_USAGE, usageByNodes(pool), true);
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

/** A name per uid: a pool may be made again under its name while nodes of the deleted pool still drain. */
function nameOfNodes({ name, uid }: PoolSituation['pool']['metadata']): string {
  return joinName([name, NODES, shortHash(uid ?? '')]);
}

/** provider-node keeps it until the last node of the pool is gone. */
function nodesOf({ metadata, spec }: PoolSituation['pool']): KubeObject {
  const { name, namespace, uid } = metadata;
  const config = { kind: 'ProviderConfig', name: spec.clusterRef.name };
  return {
    apiVersion: NODE_API_VERSION,
    kind: 'ProviderConfigUsage',
    metadata: {
      name: nameOfNodes(metadata),
      namespace,
      labels: {
        ...clusterLabels(config.name),
        [LABEL.nodePool]: name,
        [CROSSPLANE.providerConfig]: config.name,
        [CROSSPLANE.providerConfigKind]: config.kind,
      },
    },
    providerConfigRef: config,
    resourceRef: { apiVersion: API_VERSION, kind: 'NodePool', name, ...(uid === undefined ? {} : { uid }) },
  };
}

function usageByNodes({ metadata, spec }: PoolSituation['pool']): KubeObject {
  const by = nameOfNodes(metadata);
  return clusterUsage({
    name: by,
    namespace: metadata.namespace,
    cluster: spec.clusterRef.name,
    labels: { [LABEL.nodePool]: metadata.name, [LABEL.role]: 'worker' },
    reason: 'the nodes of a pool are drained before their Cluster is deleted',
    by: { apiVersion: NODE_API_VERSION, kind: 'ProviderConfigUsage', name: by },
  });
}
