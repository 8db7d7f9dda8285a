/**
 * Fields that a claim chooses once. The API server refuses later changes, but it did not check claims from before it
 * had the rule, and its rules cannot see what exists. This check uses what is observed and recorded.
 */
import { at } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { Situation } from './situation.ts';

const EXISTING = 'spec.infrastructure.existing';

/** Whether the load balancer of the API exists: observed, or known from an earlier call. */
export function hasLoadBalancer({ observed, previous }: Situation): boolean {
  if (previous.infrastructure?.existing?.loadBalancerTargets !== undefined) return false;
  const targets = at(previous.infrastructure, 'controlPlane', 'loadBalancerTargets');
  return observed.has('lb-api') || (Array.isArray(targets) && targets.length > 0);
}

/** Throws InvalidClaim if the claim names another network than the cluster uses, or other subnets of it. */
export function refuseOtherNetwork({ cluster, previous, observed, owner }: Situation): void {
  const { network, subnets } = cluster.spec.infrastructure.existing;
  const known = previous.infrastructure?.network;
  const field = `${EXISTING}.network.id`;
  if (observed.has('vpc') || known?.cidr !== undefined) {
    if (network === undefined) return;
    throw refusal(owner, field, network.id, 'no existing network, since the cluster already has its own');
  }
  if (known === undefined) return;
  if (network?.id !== known.id)
    throw refusal(owner, field, network?.id ?? 'none', `${known.id}, since a cluster cannot move to another network`);
  const zones = previous.infrastructure?.failureDomains ?? [];
  const moved = zones.find(
    ({ name, subnet }) => !subnets.some((one) => !one.public && one.zone === name && one.id === subnet),
  );
  if (moved === undefined) return;
  const now = subnets.find((one) => !one.public && one.zone === moved.name)?.id ?? 'none';
  const accepted = `${moved.subnet} in ${moved.name}, since machines use it`;
  throw refusal(owner, `${EXISTING}.subnets`, now, accepted);
}
