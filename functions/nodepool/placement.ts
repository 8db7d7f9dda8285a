/** Placement: machines are spread evenly over failure domains; existing ones stay where they are. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { NodePool } from '#lib/api/kinds/node-pool.ts';
import { exhausted } from './capacity.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { PlanInput, Slot } from './slot.ts';

/**
 * The failure domains this pool may use, in the Cluster's order. Throws InvalidClaim for a zone the Cluster does not
 * have.
 */
export function domainsOf({ spec }: NodePool, infrastructure: InfrastructureStatus, owner: string): readonly string[] {
  const known = infrastructure.failureDomains
    .filter(({ controlPlane }) => spec.role === 'worker' || controlPlane)
    .map(({ name }) => name);
  const { zones } = spec.machine;
  if (zones === undefined) return known;
  const unknown = zones.findIndex((zone) => !known.includes(zone));
  if (unknown >= 0) throw refusal(owner, `spec.machine.zones[${unknown}]`, zones[unknown], known.toSorted());
  return known.filter((name) => zones.includes(name));
}

/**
 * The domain with the fewest machines; of several the first. Undefined when the pool has none to choose from.
 * @param avoided  domains without capacity, in the order they were tried; when there are no others, the one that was
 *   tried the longest time ago
 */
export function leastUsed(
  domains: readonly string[],
  used: readonly (string | undefined)[],
  avoided: readonly string[] = [],
): string | undefined {
  const others = domains.filter((name) => !avoided.includes(name));
  if (others.length === 0) return avoided.find((name) => domains.includes(name));
  const count = (name: string): number => used.filter((domain) => domain === name).length;
  return others.reduce((best, name) => (count(name) < count(best) ? name : best));
}

/**
 * Slots whose machines are in a failure domain that the pool may not use, with the domain of their next machine. Only
 * if the claim lists its zones: if a Cluster reports fewer zones for a while, nothing moves.
 */
export function moved({ pool, machines, domains, pending, now }: PlanInput, slots: readonly Slot[]): readonly Slot[] {
  if (pool.spec.machine.zones === undefined || domains.length === 0) return slots;
  const placed = slots.map((slot) => {
    const standing = machines.filter((machine) => machine.slot === slot.number && !machine.lost);
    const allowed = standing.find(({ failureDomain = '' }) => domains.includes(failureDomain))?.failureDomain;
    return {
      ...slot,
      failureDomain: allowed ?? (domains.includes(slot.failureDomain ?? '') ? slot.failureDomain : undefined),
    };
  });
  const used = placed.map(({ failureDomain }) => failureDomain);
  return placed.map((slot, index) => {
    if (slot.failureDomain !== undefined) return slot;
    const failureDomain = leastUsed(domains, used, exhausted(machines, pending, now));
    used[index] = failureDomain;
    return { ...slot, failureDomain };
  });
}
