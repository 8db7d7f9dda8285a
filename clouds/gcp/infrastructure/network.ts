/** The network: one subnet for all zones of the region, and its NAT gateway, whose addresses are known. */
import { parseCidr } from '#lib/api/cidr.ts';
import { at, type Json, type KubeObject } from '#lib/api/json.ts';
import { type Entry, ref } from '#lib/cloud/managed.ts';
import type { RegionalNetwork } from '#lib/cloud/regional-network.ts';
import { clusterLabels } from './labels.ts';
import { description, managed, networkOf } from './resource.ts';
import type { Site } from './site.ts';

type Observed = ReadonlyMap<string, KubeObject>;

export function network(site: Site, { cidr }: RegionalNetwork, observed: Observed): readonly Entry[] {
  const addresses = natAddresses(site, observed);
  return [
    managed(site, 'Network', 'network', {
      autoCreateSubnetworks: false,
      routingMode: 'REGIONAL',
      description: description(site, 'Network'),
    }),
    managed(site, 'Subnetwork', 'subnet', {
      ...networkOf(site),
      ipCidrRange: cidr,
      // Machines reach the APIs of Google, also the one that has their first-boot data, without the NAT gateway.
      privateIpGoogleAccess: true,
      ...secondaryRanges(site, observed.get('subnet')),
      description: description(site, 'Machines'),
    }),
    managed(site, 'Router', 'router', { ...networkOf(site), description: description(site, 'NAT gateway') }),
    ...addresses.map((key) =>
      managed(site, 'Address', key, {
        addressType: 'EXTERNAL',
        description: description(site, 'NAT gateway'),
        labels: clusterLabels(site),
      }),
    ),
    // By chosen addresses: firewalls have to know them, and what GCP chooses is not reported.
    managed(site, 'RouterNAT', 'nat', {
      routerRef: ref(site, 'router'),
      natIpAllocateOption: 'MANUAL_ONLY',
      natIpsRefs: addresses.map((key) => ref(site, key)),
      sourceSubnetworkIpRangesToNat: 'ALL_SUBNETWORKS_ALL_IP_RANGES',
      // A machine gets more ports when it needs them, so that few addresses suffice.
      enableDynamicPortAllocation: true,
      enableEndpointIndependentMapping: false,
      minPortsPerVm: 64,
      maxPortsPerVm: 4096,
    }),
  ];
}

const ADDRESS = 'nat-address-';

/** Composition resource names. Addresses that exist stay: others may have opened their networks to them. */
export function natAddresses({ network: { kind }, input }: Site, observed: Observed): readonly string[] {
  if (kind === 'existing') return [];
  const known = [...observed.keys()].filter((key) => key.startsWith(ADDRESS));
  const wanted = Array.from({ length: input.gcp.natAddresses }, (_, n) => `${ADDRESS}${n}`);
  return [...new Set([...known, ...wanted])].sort();
}

export const PODS_RANGE = 'pods';
const SERVICES_RANGE = 'services';

/** Of IPv4 blocks; a subnet that exists keeps what it has. */
function secondaryRanges({ input, pods, services }: Site, subnet: KubeObject | undefined) {
  const made: Json | undefined = at(subnet, 'spec', 'forProvider', 'secondaryIpRange');
  if (subnet !== undefined) return made === undefined ? {} : { secondaryIpRange: made };
  if (!input.gcp.secondaryRanges) return {};
  const ranges = [
    { rangeName: PODS_RANGE, ipCidrRange: pods },
    { rangeName: SERVICES_RANGE, ipCidrRange: services },
  ].filter(({ ipCidrRange }) => parseCidr(ipCidrRange)?.family === 4);
  return ranges.length === 0 ? {} : { secondaryIpRange: ranges };
}
