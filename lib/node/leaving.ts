/** What happens to a Node whose WorkloadNode is deleted: it is drained, waited for, or released. */
import { seconds } from '#lib/api/fields/text.ts';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { ManagementObjects, Obstacle } from './situation.ts';

export interface Departure {
  /** `spec.clusterRef`; undefined where an older release made the object. */
  readonly clusterRef: { readonly name: string; readonly uid?: string | undefined } | undefined;
  /** The Cluster of that name in the object's namespace; undefined: there is none. */
  readonly cluster: { readonly uid: string | undefined; readonly isDeleting: boolean } | undefined;
  readonly isNamespaceDeleting: boolean;
  /** Why the workload cluster cannot be reached; undefined: it can. */
  readonly obstacle: Obstacle | undefined;
  /** It runs etcd, and was seen as a Node. */
  readonly isEtcdMember: boolean;
  /** Seconds since the object was deleted, and after how many it goes undrained; 0: never. */
  readonly waited: number;
  readonly timeout: number;
}

export type Leaving =
  | { readonly way: 'Drain' }
  /** Without a drain, and without leaving etcd. */
  | { readonly way: 'LetGo'; readonly why: string }
  | { readonly way: 'Wait'; readonly why: string };

/**
 * A Node is drained, and leaves etcd, before its object is deleted, unless the whole Cluster is deleted. The Cluster
 * shows this by its absence or its deletionTimestamp, and by its uid, so that a new Cluster with the same name does not
 * count. While the Cluster exists, no Node is released silently because something cannot be read or reached: the object
 * waits and reports for what. The wait ends with the timeout of the drain, but not for an etcd member, which etcd would
 * still count. In a namespace that is being deleted, a missing Secret cannot come back, so nothing is waited for. An
 * object without clusterRef is released if its ProviderConfig or kubeconfig is missing, as in older releases.
 */
export function leavingOf(departure: Departure): Leaving {
  const { clusterRef, cluster, obstacle, isNamespaceDeleting, isEtcdMember, waited, timeout } = departure;
  const end = clusterRef === undefined ? undefined : endOf(clusterRef, cluster);
  if (end !== undefined) return { way: 'LetGo', why: end };
  if (obstacle === undefined) return { way: 'Drain' };
  const { cause, isMissing } = obstacle;
  if (isMissing && (clusterRef === undefined || isNamespaceDeleting)) return { way: 'LetGo', why: cause };
  if (isEtcdMember)
    return { way: 'Wait', why: `${cause}; an etcd member waits until its Cluster can be reached or is deleted` };
  if (timeout === 0) return { way: 'Wait', why: `${cause}; waits without limit because spec.drain.timeout is 0s` };
  if (waited >= timeout) return { way: 'LetGo', why: `not drained within ${timeout} seconds: ${cause}` };
  return { way: 'Wait', why: `${cause}; deleted without a drain after ${timeout} seconds (spec.drain.timeout)` };
}

/** @param obstacle  undefined: the workload cluster answers, or was not looked at yet */
export function departureOf(
  object: KubeObject,
  management: ManagementObjects,
  now: number,
  obstacle: Obstacle | undefined,
): Departure {
  const name = stringAt(object, 'spec', 'clusterRef', 'name');
  const { cluster, namespace } = management;
  const deletion = Date.parse(object.metadata?.deletionTimestamp ?? '');
  return {
    clusterRef: name === undefined ? undefined : { name, uid: stringAt(object, 'spec', 'clusterRef', 'uid') },
    cluster: cluster && { uid: cluster.metadata?.uid, isDeleting: isDeleting(cluster) },
    isNamespaceDeleting: namespace !== undefined && isDeleting(namespace),
    obstacle,
    isEtcdMember: at(object, 'spec', 'etcdMember') === true && at(object, 'status', 'nodeRef') !== undefined,
    waited: Number.isNaN(deletion) ? 0 : (now - deletion) / 1000,
    timeout: drainTimeout(object),
  };
}

/** Seconds; 0: for ever. */
export function drainTimeout(object: KubeObject): number {
  return seconds(stringAt(object, 'spec', 'drain', 'timeout') ?? '10m');
}

export function isDeleting(object: KubeObject): boolean {
  return object.metadata?.deletionTimestamp !== undefined;
}

function endOf({ name, uid }: NonNullable<Departure['clusterRef']>, cluster: Departure['cluster']): string | undefined {
  if (cluster === undefined || (uid !== undefined && cluster.uid !== uid)) return `Cluster "${name}" is gone`;
  return cluster.isDeleting ? `Cluster "${name}" is being deleted` : undefined;
}
