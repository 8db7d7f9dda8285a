/** The resource group of a machine: that of its cluster, which may be one of somebody else. */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { lastPart } from '../ids.ts';

export function groupOf({ existing, id = '' }: Pick<InfrastructureStatus, 'existing' | 'id'>): string {
  return existing?.resourceGroup === undefined ? id : lastPart(existing.resourceGroup.id);
}

/** Its id, as provider ids of machines have it; undefined: the Cluster does not report any. */
export function groupIdOf({
  providerIDFormat = '',
}: Pick<InfrastructureStatus, 'providerIDFormat'>): string | undefined {
  return /^azure:\/\/(\/subscriptions\/[^/]+\/resourceGroups\/[^/]+)\//.exec(providerIDFormat)?.[1];
}
