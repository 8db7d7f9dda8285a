/** Where machines go: evenly over the failure domains, existing ones staying where they are. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { NodePool } from '#lib/api/kinds/node-pool.ts';
import { refusal } from '#lib/api/refusal.ts';

/** The failure domains this pool may use, in the Cluster's order. Throws InvalidClaim for a zone the Cluster does not have. */
export function domainsOf({ spec }: NodePool, infrastructure: InfrastructureStatus, owner: string): readonly string[] {
  const known = infrastructure.failureDomains
    .filter(({ controlPlane }) => spec.role === 'worker' || controlPlane)
    .map(({ name }) => name);
  const { zones } = spec.machine;
  if (zones === undefined) return known;
  const unknown = zones.findIndex((zone) => !known.includes(zone));
  if (unknown >= 0) throw refusal(owner, `spec.machine.zones[${unknown}]`, zones[unknown], known.toSorted().join(', '));
  return known.filter((name) => zones.includes(name));
}

/** The domain with the fewest machines; of several the first. Undefined when the pool has none to choose from. */
export function leastUsed(domains: readonly string[], used: readonly (string | undefined)[]): string | undefined {
  const count = (name: string): number => used.filter((domain) => domain === name).length;
  return domains.reduce<string | undefined>(
    (best, name) => (best === undefined || count(name) < count(best) ? name : best),
    undefined,
  );
}
