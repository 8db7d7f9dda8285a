/** The region of a cluster, by the catalog of its Composition. */
import { refusal } from '#lib/api/refusal.ts';
import { regionFault, regionOf } from './asked.ts';
import type { ClusterSituation } from './infrastructure.ts';
import type { NativeNames } from './native-names.ts';

type Situation = Pick<ClusterSituation, 'cluster' | 'input' | 'owner' | 'previous'>;

/** The region that the name in the claim maps to now; an existing cluster keeps its region. */
export function mappedRegion({ cluster, input }: Pick<Situation, 'cluster' | 'input'>): string {
  return regionOf(cluster.spec.region, input);
}

/** Throws InvalidClaim for a new cluster in a region that nobody maps and that is no name of the cloud. */
export function clusterRegion(situation: Situation, names: NativeNames): string {
  const { previous, owner, cluster, input } = situation;
  if (previous.infrastructure !== undefined) return previous.infrastructure.region;
  const fault = regionFault(cluster.spec.region, input, names);
  if (fault === undefined) return mappedRegion(situation);
  throw refusal(owner, 'spec.region', fault.value, fault.accepted);
}
