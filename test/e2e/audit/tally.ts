/** How many requests each part of Slipway sent, and Crossplane for it. */
import type { Request } from './log.ts';

export interface Requests {
  /** provider-node to the management cluster, and to workload clusters. */
  readonly provider: number;
  readonly workload: number;
  /** Crossplane for the objects of a team: claims, what they compose, their events. */
  readonly crossplane: number;
}

const CROSSPLANE = 'system:serviceaccount:crossplane-system:crossplane';
const PROVIDER = 'system:serviceaccount:crossplane-system:slipway-provider-node-';
/** As kubeconfigs of clusters name who uses them. */
const ADMIN = 'kubernetes-admin';

/** @param team  namespace of its claims */
export function requestsOf(team: string, management: readonly Request[], workload: readonly Request[]): Requests {
  const asked = management.filter(isOne);
  return {
    provider: asked.filter(({ user }) => user.username.startsWith(PROVIDER)).length,
    workload: workload.filter((request) => isOne(request) && request.user.username === ADMIN).length,
    crossplane: asked.filter(({ user, objectRef }) => user.username === CROSSPLANE && objectRef?.namespace === team)
      .length,
  };
}

/** A watch is written down when it begins and when it ends. */
function isOne({ verb, stage }: Request): boolean {
  return verb === 'watch' ? stage === 'ResponseStarted' : stage === 'ResponseComplete';
}
