/**
 * Secrets that a claim names. Whoever may write a claim may perhaps not read the Secrets of its namespace, but may read
 * what its machines get. So a Secret is only used by the cluster that its label names: who sets the label may change
 * the Secret.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';

/** The cluster that a Secret belongs to by its labels, ours or that of Cluster API. */
function clusterOf({ metadata }: KubeObject): string | undefined {
  return metadata?.labels?.[LABEL.cluster] ?? metadata?.labels?.[LABEL.clusterName];
}

/** Why a cluster may not use a Secret with a name that follows from its own; undefined if it may. */
export function belongsElsewhere(secret: KubeObject, cluster: string): string | undefined {
  const owner = clusterOf(secret);
  if (owner === undefined || owner === cluster) return undefined;
  return `its label ${LABEL.cluster} says that it belongs to Cluster "${owner}"`;
}

/** Why a cluster may not use a Secret whose name is the choice of a claim; undefined if it may. */
export function notAllowedFor(secret: KubeObject, cluster: string): string | undefined {
  if (clusterOf(secret) !== undefined) return belongsElsewhere(secret, cluster);
  const { name = '', namespace = '' } = secret.metadata ?? {};
  return `no label allows Cluster "${cluster}" to use it; if it may: kubectl label secret ${name} --namespace ${namespace} ${LABEL.cluster}=${cluster}`;
}
