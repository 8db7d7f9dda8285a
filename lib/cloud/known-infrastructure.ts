/**
 * The infrastructure status as every cloud reports it: data for pools and machines. A known id is kept for ever: if it
 * cannot be read any more, it is taken from the status that an earlier call wrote.
 */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { ClusterSituation, KnownInfrastructure as Known } from './infrastructure.ts';

export type FailureDomain = InfrastructureStatus['failureDomains'][number];

type Unknown = 'network' | 'controlPlane' | 'worker' | 'providerIDFormat';

/** Undefined: not known yet. */
type Parts = Omit<Known, Unknown | 'contract' | 'existing'> & {
  readonly [Part in Unknown]: Known[Part] | undefined;
} & { readonly existing: NonNullable<Known['existing']> };

export function knownInfrastructure(parts: Parts): Known {
  const { network, controlPlane, worker, providerIDFormat: format, existing } = parts;
  return {
    contract: 1,
    cloud: parts.cloud,
    region: parts.region,
    id: parts.id,
    ...(network === undefined ? {} : { network }),
    apiAccess: parts.apiAccess,
    failureDomains: parts.failureDomains,
    ...(controlPlane === undefined ? {} : { controlPlane }),
    ...(worker === undefined ? {} : { worker }),
    ...(format === undefined ? {} : { providerIDFormat: format }),
    metadataService: parts.metadataService,
    ...(Object.keys(existing).length === 0 ? {} : { existing }),
    tags: parts.tags,
  };
}

/** Whether it contains everything a machine needs. @param zones  of the cluster */
export function isComplete(zones: readonly string[], status: Known): boolean {
  const { network, failureDomains, controlPlane, worker, providerIDFormat: format } = status;
  const known = new Set(failureDomains.map(({ name }) => name));
  const parts = [network, controlPlane, worker, format];
  return parts.every((part) => part !== undefined) && zones.every((zone) => known.has(zone));
}

/** @param network  its id, or the block of one that Slipway makes @param reported  the id of that one */
export function networkStatus(
  network: { readonly kind: 'existing'; readonly id: string } | { readonly kind: 'composed'; readonly cidr: string },
  reported: string | undefined,
  { previous }: Pick<ClusterSituation, 'previous'>,
): Known['network'] {
  if (network.kind === 'existing') return { id: network.id };
  const id = reported ?? previous.infrastructure?.network?.id;
  return id === undefined ? undefined : { id, cidr: network.cidr };
}

/** What earlier calls reported, by name. */
export function knownDomains({ previous }: Pick<ClusterSituation, 'previous'>): ReadonlyMap<string, FailureDomain> {
  return new Map((previous.infrastructure?.failureDomains ?? []).map((zone) => [zone.name, zone]));
}
