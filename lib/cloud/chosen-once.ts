/**
 * Fields that a claim chooses once. The API server refuses later changes, but it did not check claims from before it
 * had the rule, and its rules cannot see what exists. These checks use what is observed and recorded.
 */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { at } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { ClusterSituation } from './infrastructure.ts';

/** How the load balancer of an API is reached. */
export type Scheme = NonNullable<NonNullable<InfrastructureStatus['apiAccess']>['scheme']>;

type Seen = Pick<ClusterSituation, 'observed' | 'previous'>;
type Claimed = Pick<ClusterSituation, 'cluster' | 'previous' | 'owner'>;

const EXISTING = 'spec.infrastructure.existing';

/** Whether the load balancer of the API exists: observed, or known from an earlier call. @param key  that it has */
export function isLoadBalancerMade({ observed, previous }: Seen, key: string): boolean {
  if (previous.infrastructure?.existing?.loadBalancerTargets !== undefined) return false;
  const targets = at(previous.infrastructure, 'controlPlane', 'loadBalancerTargets');
  return observed.has(key) || (Array.isArray(targets) && targets.length > 0);
}

/** Whether Slipway composed the network: observed, or recorded with its block. @param key  that it has */
export function isNetworkMade({ observed, previous }: Seen, key: string): boolean {
  return observed.has(key) || previous.infrastructure?.network?.cidr !== undefined;
}

/** Throws InvalidClaim if the claim states another scheme than the load balancer has. @param known  which that is */
export function agreedScheme({ cluster, owner }: Omit<Claimed, 'previous'>, known: Scheme | undefined): Scheme {
  const { scheme: stated } = cluster.spec.controlPlane;
  if (stated === undefined || known === undefined || stated === known) return stated ?? known ?? 'internal';
  const accepted = `${known}, since the scheme of a load balancer cannot change`;
  throw refusal(owner, 'spec.controlPlane.scheme', stated, accepted);
}

/** The part of a cloud. */
export interface NetworkIds {
  readonly hasOwn: boolean;
  readonly isSame: (id: string | undefined, other: string) => boolean;
  /** Whether machines may be in it. */
  readonly isForMachines: (subnet: { readonly public: boolean }) => boolean;
}

/** Throws InvalidClaim if the claim names another network than the cluster uses, or another subnet of it. */
export function refuseMovedNetwork({ cluster, previous, owner }: Claimed, ids: NetworkIds): void {
  const { network, subnets: all } = cluster.spec.infrastructure.existing;
  const known = previous.infrastructure?.network;
  const field = `${EXISTING}.network.id`;
  if (ids.hasOwn) {
    if (network === undefined) return;
    throw refusal(owner, field, network.id, 'no existing network, since the cluster already has its own');
  }
  if (known === undefined) return;
  if (!ids.isSame(network?.id, known.id))
    throw refusal(owner, field, network?.id ?? 'none', `${known.id}, since a cluster cannot move to another network`);
  const subnets = all.filter(ids.isForMachines);
  const zones = previous.infrastructure?.failureDomains ?? [];
  const moved = zones.find(
    ({ name, subnet }) => !subnets.some((one) => one.zone === name && ids.isSame(one.id, subnet)),
  );
  if (moved === undefined) return;
  const now = subnets.find((one) => one.zone === moved.name)?.id ?? 'none';
  throw refusal(owner, `${EXISTING}.subnets`, now, `${moved.subnet} in ${moved.name}, since machines use it`);
}
