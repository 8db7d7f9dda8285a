/**
 * Secrets that a claim names. Whoever may write a claim may perhaps not read the Secrets of its namespace, but may read
 * what its machines and its cluster get. So a Secret is only used by the cluster that its label names: who sets the label
 * may change the Secret. No claim copies what Slipway made.
 */
import { at, isJsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { CLUSTER_UID, GROUP, LABEL, SECRET_TYPE } from '#lib/api/words.ts';

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

/**
 * Why a cluster may not use a Secret whose name is the choice of a claim; undefined if it may. Every step that reads one,
 * or has a provider read it, asks this.
 * @param status  of the Cluster: it records the Secrets with its keys, also those that somebody supplied
 */
export function whyNotClaimed(secret: KubeObject, cluster: string, status: unknown): string | undefined {
  const { name = '', namespace = '' } = secret.metadata ?? {};
  const records = at(status, 'certificates', 'secrets');
  const isRecorded = isJsonObject(records) && Object.values(records).some((one) => stringAt(one, 'name') === name);
  if (isOurs(secret) || isRecorded) return 'it belongs to the cluster itself, and a claim cannot copy it';
  if (clusterOf(secret) !== undefined) return belongsElsewhere(secret, cluster);
  return `no label allows Cluster "${cluster}" to use it; if it may: kubectl label secret ${name} --namespace ${namespace} ${LABEL.cluster}=${cluster}`;
}

/**
 * Whether Slipway made it. Keys of a cluster and first-boot data have its label, too: who claims a worker would get the
 * authority of the cluster. Those of a Machine have its role, also after a restore without owners.
 */
function isOurs({ metadata, type }: KubeObject): boolean {
  if (type === SECRET_TYPE || metadata?.labels?.[LABEL.role] !== undefined) return true;
  if (metadata?.annotations?.[CLUSTER_UID] !== undefined) return true;
  const owners: unknown = metadata?.['ownerReferences'];
  const list: readonly unknown[] = Array.isArray(owners) ? owners : [];
  return list.some((owner) => isOurGroup(stringAt(owner, 'apiVersion')?.split('/')[0]));
}

function isOurGroup(group: string | undefined): boolean {
  return group === GROUP || group?.endsWith(`.${GROUP}`) === true;
}
