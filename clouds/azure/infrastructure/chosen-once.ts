/** Fields that a claim chooses once, checked with what is observed and recorded. */
import { at, isJsonObject, type Json } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { isSameId } from '../ids.ts';
import { hasOwnNetwork } from './own-network.ts';
import type { Situation } from './situation.ts';

export type Scheme = NonNullable<NonNullable<InfrastructureStatus['apiAccess']>['scheme']>;

/** Whether the load balancer exists: observed, or known from an earlier call. */
export function hasLoadBalancer({ observed, previous }: Situation): boolean {
  if (previous.infrastructure?.existing?.loadBalancerTargets !== undefined) return false;
  const targets = at(previous.infrastructure, 'controlPlane', 'loadBalancerTargets');
  return observed.has('api-lb') || (Array.isArray(targets) && targets.length > 0);
}

/** Throws InvalidClaim if the claim states another scheme than the load balancer has. */
export function schemeOf({ cluster, previous, observed, owner }: Situation): Scheme {
  const { scheme: stated } = cluster.spec.controlPlane;
  const known = previous.infrastructure?.apiAccess?.scheme ?? seenIn(observed);
  if (stated === undefined || known === undefined || stated === known) return stated ?? known ?? 'internal';
  const accepted = `${known}, since the scheme of a load balancer cannot change`;
  throw refusal(owner, 'spec.controlPlane.scheme', stated, accepted);
}

function seenIn(observed: Situation['observed']): Scheme | undefined {
  const made = at(observed.get('api-lb'), 'spec', 'forProvider', 'frontendIpConfiguration');
  const [first] = Array.isArray(made) ? (made as readonly Json[]) : [];
  if (!isJsonObject(first)) return undefined;
  return 'publicIpAddressId' in first ? 'internet-facing' : 'internal';
}

const EXISTING = 'spec.infrastructure.existing';

/** Throws InvalidClaim if the claim names another network than the cluster uses, or another subnet of it. */
export function refuseOtherNetwork(situation: Situation): void {
  const { cluster, previous, owner } = situation;
  const { network, subnets } = cluster.spec.infrastructure.existing;
  const known = previous.infrastructure?.network;
  const field = `${EXISTING}.network.id`;
  if (hasOwnNetwork(situation)) {
    if (network === undefined) return;
    throw refusal(owner, field, network.id, 'no existing network, since the cluster already has its own');
  }
  if (known === undefined) return;
  if (!isSameId(network?.id, known.id))
    throw refusal(owner, field, network?.id ?? 'none', `${known.id}, since a cluster cannot move to another network`);
  const zones = previous.infrastructure?.failureDomains ?? [];
  const moved = zones.find(({ name, subnet }) => !subnets.some((one) => one.zone === name && isSameId(one.id, subnet)));
  if (moved === undefined) return;
  const now = subnets.find((one) => one.zone === moved.name)?.id ?? 'none';
  throw refusal(owner, `${EXISTING}.subnets`, now, `${moved.subnet} in ${moved.name}, since machines use it`);
}
