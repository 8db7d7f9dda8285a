/** How many requests each part of Slipway sent, and Crossplane for it. */
import type { Request } from './log.ts';
import { isOfAddOns, PROVIDER_NODE } from './rights.ts';

export interface Requests {
  /** provider-node to the management cluster, and to workload clusters. */
  readonly provider: number;
  readonly workload: number;
  /** provider-node for its lease: by time, whatever else happens, and in none of the others. */
  readonly lease: number;
  /** Functions, to any API. */
  readonly functions: number;
  /** Crossplane for the objects of a team: claims, what they compose, their events. */
  readonly crossplane: number;
}

const CROSSPLANE = 'system:serviceaccount:crossplane-system:crossplane';
const FUNCTIONS = 'system:serviceaccount:crossplane-system:slipway-function-';
const REVISIONS = 'system:serviceaccount:crossplane-system:slipway-provider-node-';
/** As kubeconfigs of clusters name who uses them: provider-node, with the administrator's or with its own. */
const USERS: ReadonlySet<string> = new Set(['kubernetes-admin', PROVIDER_NODE]);

/** @param team  namespace of its claims */
export function requestsOf(team: string, management: readonly Request[], workload: readonly Request[]): Requests {
  const asked = management.filter(isOne);
  const own = asked.filter(({ user }) => user.username.startsWith(REVISIONS));
  return {
    provider: own.filter((request) => !isOfLease(request)).length,
    lease: own.filter(isOfLease).length,
    functions: asked.filter(({ user }) => user.username.startsWith(FUNCTIONS)).length,
    workload: workload.filter((request) => isOne(request) && isOfProvider(request)).length,
    crossplane: asked.filter((request) => isOfCrossplane(team, request)).length,
  };
}

/** Each kind of request of provider-node to either API, most first: `update workloadnodes/status 22`. */
export function kindsOf(management: readonly Request[], workload: readonly Request[]): readonly string[] {
  return counted([
    ...management.filter(({ user }) => user.username.startsWith(REVISIONS)),
    ...workload.filter(isOfProvider),
  ]);
}

/** Each kind of request of Crossplane for the objects of a team, most first. */
export function crossplaneKinds(team: string, management: readonly Request[]): readonly string[] {
  return counted(management.filter((request) => isOfCrossplane(team, request)));
}

function isOfCrossplane(team: string, { user, objectRef }: Request): boolean {
  return user.username === CROSSPLANE && objectRef?.namespace === team;
}

/** As the administrator where the platform gives it no role. */
function isOfProvider(request: Request): boolean {
  return USERS.has(request.user.username) && !isOfAddOns(request);
}

function counted(requests: readonly Request[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const request of requests.filter(isOne)) counts.set(nameOf(request), (counts.get(nameOf(request)) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`);
}

function nameOf({ verb, objectRef: { resource = '', subresource } = {} }: Request): string {
  return `${verb} ${subresource === undefined ? resource : `${resource}/${subresource}`}`;
}

function isOfLease({ objectRef }: Request): boolean {
  return objectRef?.resource === 'leases';
}

/** A watch is written down when it begins and when it ends. */
function isOne({ verb, stage }: Request): boolean {
  return verb === 'watch' ? stage === 'ResponseStarted' : stage === 'ResponseComplete';
}
