/** What the platform lets claims of this Composition choose: whoever may write a claim does not own the account. */
import { includes, parseCidr } from '#lib/api/cidr.ts';
import { refusal } from '#lib/api/refusal.ts';
import { INPUT_NAME } from '#lib/cloud/cluster-input.ts';
import { outsideLimits } from '#lib/cloud/limits.ts';
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
    refusal(owner, field, value, `${accepted.join(', ') || 'none'} (limits.${limit} in ${INPUT_NAME})`);

  if (regions !== undefined && !regions.includes(region)) throw outside('spec.region', region, 'regions', regions);
  const network = existing.network?.id;
  if (networks !== undefined && network !== undefined && !networks.includes(network))
    throw outside('spec.infrastructure.existing.network.id', network, 'networks', networks);
  for (const [i, { id }] of existing.subnets.entries())
    if (subnets !== undefined && !subnets.includes(id))
      throw outside(`spec.infrastructure.existing.subnets[${i}].id`, id, 'subnets', subnets);
  for (const [i, block] of (controlPlane.allowedCIDRs ?? []).entries())
    if (allowedCIDRs !== undefined && !isInside(block, allowedCIDRs))
      throw outside(`spec.controlPlane.allowedCIDRs[${i}]`, block, 'allowedCIDRs', allowedCIDRs);
  if (!hasMachines) return;
  const fault = outsideLimits(controlPlane.machine, input.limits, input);
  if (fault !== undefined)
    throw outside(`spec.controlPlane.machine.${fault.field}`, fault.value, fault.limit, [fault.accepted]);
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
