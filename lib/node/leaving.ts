/** What happens to a Node whose WorkloadNode is deleted: it is drained, waited for, or released. */
import { seconds } from '#lib/api/fields/text.ts';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { membershipAsked } from './membership.ts';
import type { Obstacle } from './situation.ts';

/** Keeps a WorkloadNode until its Node was drained and deleted. */
export const FINALIZER = 'workloadnode.node.slipway.dev';

export interface Departure {
  /** The configuration that is being deleted, such as `ProviderConfig "prod"`; undefined: it is not. */
  readonly going: string | undefined;
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
 * A Node is drained, and leaves etcd, before its object is deleted, unless the whole cluster is deleted, also with its
 * namespace: then its ProviderConfig has a deletionTimestamp, and stays readable while it is in use. Nothing else is
 * this signal: no Node is released silently because something cannot be read or reached. The object waits and reports
 * for what, because a Secret may be missing by mistake. The wait ends with the timeout of the drain, but not for an
 * etcd member, which etcd would still count.
 */
export function leavingOf(departure: Departure): Leaving {
  const { going, obstacle, isEtcdMember, waited, timeout } = departure;
  if (going !== undefined) return { way: 'LetGo', why: `${going} is being deleted, and its cluster with it` };
  if (obstacle === undefined) return { way: 'Drain' };
  const { cause } = obstacle;
  if (isEtcdMember)
    return { way: 'Wait', why: `${cause}; an etcd member waits until its cluster can be reached or is deleted` };
  if (timeout === 0) return { way: 'Wait', why: `${cause}; waits without limit because spec.drain.timeout is 0s` };
  if (waited >= timeout) return { way: 'LetGo', why: `not drained within ${timeout} seconds: ${cause}` };
  return { way: 'Wait', why: `${cause}; deleted without a drain after ${timeout} seconds (spec.drain.timeout)` };
}

/** @param obstacle  undefined: the workload cluster answers, or was not looked at yet */
export function departureOf(
  object: KubeObject,
  config: KubeObject | undefined,
  now: number,
  obstacle: Obstacle | undefined,
): Departure {
  const deletion = Date.parse(object.metadata?.deletionTimestamp ?? '');
  return {
    going: config !== undefined && isDeleting(config) ? `${config.kind} "${config.metadata?.name ?? ''}"` : undefined,
    obstacle,
    isEtcdMember: membershipAsked(object) !== undefined && at(object, 'status', 'nodeRef') !== undefined,
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
