/** The network of a cluster where one subnet serves all zones of a region. */
import { formatCidr, parseCidr } from '#lib/api/cidr.ts';
import { own } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { ClusterSituation } from './infrastructure.ts';
import type { ZoneNames } from './native-names.ts';
import { refuseOtherZones } from './site-zones.ts';

export interface RegionalNetwork {
  readonly kind: 'composed';
  /** Of the one subnet. */
  readonly cidr: string;
  /** Sorted. */
  readonly zones: readonly string[];
}

const LARGEST = 8;
const SMALLEST = 29; // clouds keep four or five addresses of each subnet

/** @param names  how zones are called @param observed  zones of what exists */
export function regionalNetwork(
  { cluster, input, previous, owner }: Pick<ClusterSituation, 'cluster' | 'input' | 'previous' | 'owner'>,
  region: string,
  names: ZoneNames,
  observed: readonly string[],
): RegionalNetwork {
  const { nodes } = cluster.spec.network;
  const block = parseCidr(nodes);
  if (block?.family !== 4 || block.prefix < LARGEST || block.prefix > SMALLEST)
    throw refusal(owner, 'spec.network.nodes', nodes, `an IPv4 block from /${LARGEST} to /${SMALLEST}`);
  const wanted = own(input.zones, region) ?? names.usual(region);
  refuseOtherZones(wanted, region, names);
  // A zone that was removed from the input stays, because machines are in it.
  const before = [...(previous.infrastructure?.failureDomains ?? []).map(({ name }) => name), ...observed];
  return { kind: 'composed', cidr: formatCidr(block), zones: [...new Set([...wanted, ...before])].sort() };
}
