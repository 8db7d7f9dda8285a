/** The Cluster that a NodePool or a Machine belongs to, as it was accepted: by its ClusterFacts. */
import type { KubeObject } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { rememberedAs } from '#lib/api/remembered.ts';
import { clusterIn, FACTS_KIND } from './cluster-facts.ts';
import type { Reply } from './reply.ts';

interface Member {
  readonly metadata: { readonly namespace: string };
  readonly spec: { readonly clusterRef: { readonly name: string } };
}

export interface RequiredCluster {
  /** Undefined before it was requested, and before a spec of it was accepted. */
  readonly object: KubeObject | undefined;
  /** The message in that case. */
  readonly waiting: string;
}

export function requireCluster(reply: Reply, { metadata, spec }: Member): RequiredCluster {
  const { namespace } = metadata;
  const { name } = spec.clusterRef;
  const found = reply.require('cluster', { ...FACTS_KIND, namespace, matchName: name });
  const waiting = `waiting for Cluster "${namespace}/${name}"${found === undefined ? '' : ': not accepted yet, or not found'}`;
  const [facts] = found ?? [];
  return { object: facts === undefined ? undefined : clusterIn(facts), waiting };
}

/**
 * The whole of it, its status included. The same object for the same text, since all machines of a cluster read the same
 * Cluster; not by its resourceVersion, because `slipway plan` asks about Clusters that were edited and have the one of
 * before. Throws InvalidObserved.
 */
export const readCluster: (object: KubeObject) => Cluster = rememberedAs(
  (object) => JSON.stringify(object),
  (object) => parseAs(Cluster, object, describeObject(object), 'InvalidObserved'),
  64,
);
