/** When a Node whose WorkloadNode is deleted is let go without a drain, and what its object asks of the drain. */
import { type DrainAsked, drainAskedIn } from '#lib/api/fields/drain.ts';
import { seconds } from '#lib/api/fields/text.ts';
import { type KubeObject, at } from '#lib/api/json.ts';
import { membershipAsked } from './membership.ts';
import type { Obstacle } from './situation.ts';

/** Keeps a WorkloadNode until its Node was drained and deleted. */
export const FINALIZER = 'workloadnode.node.slipway.dev';

export interface Absence {
  /** Why the workload cluster cannot be reached. */
  readonly obstacle: Obstacle;
  /** It runs etcd, and was seen as a Node. */
  readonly isEtcdMember: boolean;
  /** Seconds since the cluster was last reached, as far as the deletion knows. */
  readonly absent: number;
  readonly drain: Pick<DrainAsked, 'timeout' | 'onTimeout'>;
}

export type Leaving =
  /** Without a drain, and without leaving etcd. */
  | { readonly way: 'LetGo'; readonly why: string }
  /** `left`: seconds until it is let go; undefined: for ever. */
  | { readonly way: 'Wait'; readonly why: string; readonly left?: number };

/** Minutes. */
const GIVEN_UP_AFTER = 30;

/**
 * What happens to a Node whose cluster cannot be reached. It is drained, and leaves etcd, before its object goes, so no
 * Node is released silently because something cannot be read: a Secret may be missing by mistake. The object waits and
 * reports for what. An API that answers, and refuses, is not away: somebody has to give provider-node its rights. The wait ends after half an hour where the drain may end too, but not for an etcd member, which etcd
 * would still count.
 */
export function leavingOf({ obstacle: { cause, isRefused }, isEtcdMember, absent, drain }: Absence): Leaving {
  if (isEtcdMember)
    return { way: 'Wait', why: `${cause}; an etcd member waits until its cluster can be reached or is deleted` };
  if (isRefused === true) return { way: 'Wait', why: `${cause}; waits without limit because the API answers` };
  const limitless =
    drain.onTimeout === 'Hold' ? 'onTimeout is Hold' : seconds(drain.timeout) === 0 ? 'timeout is 0s' : undefined;
  if (limitless !== undefined)
    return { way: 'Wait', why: `${cause}; waits without limit because spec.drain.${limitless}` };
  const left = GIVEN_UP_AFTER * 60 - absent;
  if (left <= 0)
    return { way: 'LetGo', why: `its cluster could not be reached for ${GIVEN_UP_AFTER} minutes: ${cause}` };
  return {
    way: 'Wait',
    why: `${cause}; deleted without a drain if its cluster cannot be reached for ${GIVEN_UP_AFTER} minutes`,
    left,
  };
}

/**
 * How long a deletion waits for a Node that has the provider id of the machine, and none of its names. It may be the one,
 * and it may be somebody else's, who must not hold a deletion for ever.
 */
export function patienceOf({ timeout, onTimeout, skip }: DrainAsked): {
  readonly seconds: number;
  readonly text: string;
} {
  if (skip) return { seconds: 0, text: '0s (spec.drain.skip)' };
  const most = seconds(timeout);
  const least = GIVEN_UP_AFTER * 60;
  const isLimitless = most === 0 || (onTimeout === 'Hold' && most < least);
  return isLimitless
    ? { seconds: least, text: `${GIVEN_UP_AFTER} minutes` }
    : { seconds: most, text: `${timeout} (spec.drain.timeout)` };
}

export function absenceOf(object: KubeObject, obstacle: Obstacle, since: number, now: number): Absence {
  return {
    obstacle,
    isEtcdMember: membershipAsked(object) !== undefined && at(object, 'status', 'nodeRef') !== undefined,
    absent: (now - since) / 1000,
    drain: drainAsked(object),
  };
}

/**
 * Why nothing of a Node has to be saved: its whole cluster is deleted, also with its namespace. Its ProviderConfig then
 * has a deletionTimestamp, and stays readable while it is in use. Nothing else is this signal.
 */
export function endOfCluster(config: KubeObject | undefined): string | undefined {
  if (config === undefined || !isDeleting(config)) return undefined;
  return `${config.kind} "${config.metadata?.name ?? ''}" is being deleted, and its cluster with it`;
}

/** Whether its machine was never told to start the cluster, so that there is none. */
export function wasNeverStarted(object: KubeObject): boolean {
  const isSeen = at(object, 'status', 'nodeRef') !== undefined;
  return at(object, 'spec', 'start') !== undefined && at(object, 'status', 'started') !== true && !isSeen;
}

/** What the object says about its drain, with defaults. */
export function drainAsked(object: KubeObject): DrainAsked {
  return drainAskedIn(at(object, 'spec', 'drain'));
}

export function isDeleting(object: KubeObject): boolean {
  return object.metadata?.deletionTimestamp !== undefined;
}
