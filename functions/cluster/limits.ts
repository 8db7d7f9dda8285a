/** What the platform lets claims of this Composition choose: whoever may write a claim does not own the account. */
import { includes, parseCidr } from '#lib/api/cidr.ts';
import type { Existing } from '#lib/api/fields/infrastructure.ts';
import { refusal } from '#lib/api/refusal.ts';
import { INPUT_NAME } from '#lib/cloud/cluster-input.ts';
import { outsideLimits, withinLimit } from '#lib/cloud/limits.ts';
import type { Situation } from './situation.ts';

/**
 * Throws InvalidClaim for the first choice outside.
 * @param hasMachines  whether machines are the control plane, and not the cloud
 */
export function refuseOutside({ cluster, input, owner }: Situation, hasMachines: boolean): void {
  const { networks, subnets, allowedCIDRs, regions } = input.limits;
  const { controlPlane, infrastructure, region } = cluster.spec;
  const { existing } = infrastructure;
  const outside = (field: string, value: unknown, limit: string, accepted: readonly string[]) =>
    refusal(owner, field, value, withinLimit(accepted.join(', '), limit, INPUT_NAME));

  if (regions !== undefined && !regions.includes(region)) throw outside('spec.region', region, 'regions', regions);
  const network = existing.network?.id;
  if (networks !== undefined && network !== undefined && !networks.includes(network))
    throw outside('spec.infrastructure.existing.network.id', network, 'networks', networks);
  for (const [i, { id }] of existing.subnets.entries())
    if (subnets !== undefined && !subnets.includes(id))
      throw outside(`spec.infrastructure.existing.subnets[${i}].id`, id, 'subnets', subnets);
  const named = namedParts(existing);
  const first = named.find(({ limit, id }) => !input.limits[limit].includes(id));
  if (first !== undefined)
    throw outside(`spec.infrastructure.existing.${first.field}`, first.id, first.limit, input.limits[first.limit]);
  for (const [i, block] of (controlPlane.allowedCIDRs ?? []).entries())
    if (allowedCIDRs !== undefined && !isInside(block, allowedCIDRs))
      throw outside(`spec.controlPlane.allowedCIDRs[${i}]`, block, 'allowedCIDRs', allowedCIDRs);
  if (!hasMachines) return;
  const fault = outsideLimits(controlPlane.machine, input.limits, input);
  if (fault !== undefined)
    throw outside(`spec.controlPlane.machine.${fault.field}`, fault.value, fault.limit, [fault.accepted]);
}

interface NamedPart {
  readonly limit: 'securityGroups' | 'identities' | 'loadBalancerTargets';
  /** Below spec.infrastructure.existing. */
  readonly field: string;
  readonly id: string;
}

/** What gives machines rights, or lets traffic to them. */
function namedParts({ securityGroups, identities, loadBalancerTargets }: Existing): readonly NamedPart[] {
  const roles = ['controlPlane', 'worker'] as const;
  return [
    ...roles.flatMap((role) =>
      (securityGroups?.[role] ?? []).map((id, i) => ({
        limit: 'securityGroups' as const,
        field: `securityGroups.${role}[${i}]`,
        id,
      })),
    ),
    ...(identities === undefined
      ? []
      : roles.map((role) => ({ limit: 'identities' as const, field: `identities.${role}`, id: identities[role] }))),
    ...loadBalancerTargets.map(({ id }, i) => ({
      limit: 'loadBalancerTargets' as const,
      field: `loadBalancerTargets[${i}].id`,
      id,
    })),
  ];
}

function isInside(text: string, blocks: readonly string[]): boolean {
  const block = parseCidr(text);
  return (
    block !== undefined &&
    blocks.some((one) => {
      const outer = parseCidr(one);
      return outer !== undefined && includes(outer, block);
    })
  );
}
