/**
 * Region, zones and address blocks of a cluster. Earlier decisions are read from what is observed, because regions,
 * zones and blocks of existing machines cannot change.
 */
import { formatCidr } from '#lib/api/cidr.ts';
import { own, stringAt } from '#lib/api/json.ts';
import { needsLoadBalancer } from '#lib/cloud/endpoint.ts';
import { clusterRegion } from '#lib/cloud/region.ts';
import type { ClusterSite } from '#lib/cloud/site.ts';
import { refuseOtherZones, refuseUnknownZones } from '#lib/cloud/site-zones.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { ZONE_NAMES } from '../zones.ts';
import type { Input, Situation } from './situation.ts';
import { type Blocks, blocksOf, nodeBlock } from './blocks.ts';
import { type ClusterID, clusterIDOf } from './cluster-id.ts';
import { type ApiAccess, apiAccessOf } from './api-access.ts';
import { hasLoadBalancer, refuseOtherNetwork } from './chosen-once.ts';
import { type ExistingNetwork, existingNetwork, existingPartsOf } from './existing.ts';

export interface Zone {
  readonly name: string;
  /** Its two subnets' address blocks. */
  readonly blocks: Blocks;
  /** The zone whose NAT gateway its private subnet uses. */
  readonly gateway: string;
}

export interface ComposedNetwork {
  readonly kind: 'composed';
  readonly cidr: string;
  /** Sorted by name. */
  readonly zones: readonly Zone[];
}

export interface Site extends ClusterID, ClusterSite<Input, ComposedNetwork | ExistingNetwork> {
  readonly api: ApiAccess;
}

export function siteOf(situation: Situation): Site {
  refuseOtherNetwork(situation);
  const { cluster, input, traffic } = situation;
  const { name, namespace } = cluster.metadata;
  const region = clusterRegion(situation, NATIVE_NAMES);
  const api = apiAccessOf(situation);
  const { network, subnets } = cluster.spec.infrastructure.existing;
  const site: Site = {
    ...clusterIDOf(situation),
    cluster: name,
    namespace,
    region,
    network:
      network === undefined && subnets.length === 0
        ? composedNetwork(situation, region)
        : existingNetwork(situation, region, api.scheme),
    api,
    existing: existingPartsOf(situation, region),
    loadBalancer: needsLoadBalancer(situation, hasLoadBalancer(situation)),
    joinPorts: traffic.joinPorts,
    podTraffic: input.aws.cniRules ?? traffic.podTraffic,
    input,
  };
  refuseUnknownZones(situation, zoneNames(site));
  return site;
}

/** Names of the failure domains, sorted. */
export function zoneNames({ network }: Site): readonly string[] {
  return network.kind === 'composed' ? network.zones.map(({ name }) => name) : Object.keys(network.privateSubnets);
}

function composedNetwork(situation: Situation, region: string): ComposedNetwork {
  const { cluster, input, observed, owner } = situation;
  const block = nodeBlock(cluster.spec.network.nodes, owner);
  const wanted = own(input.zones, region) ?? ZONE_NAMES.usual(region);
  refuseOtherZones(wanted, region, ZONE_NAMES);
  // A zone that was removed from the input keeps its subnets, because machines use them.
  const names = [...new Set([...wanted, ...observedZones(situation)])].sort();
  const blocks = blocksOf(block, names, observed, owner);
  const gateways = gatewaysOf(situation, names);
  return {
    kind: 'composed',
    cidr: formatCidr(block),
    zones: blocks.map(([name, blocks], i) => ({ name, blocks, gateway: gateways[i] ?? name })),
  };
}

const PRIVATE = 'subnet-private-';

function observedZones({ observed, previous }: Situation): readonly string[] {
  const keys = [...observed.keys()].filter((key) => key.startsWith(PRIVATE)).map((key) => key.slice(PRIVATE.length));
  return [...keys, ...(previous.infrastructure?.failureDomains ?? []).map(({ name }) => name)];
}

/** The zone of the NAT gateway for each zone. Existing gateways and routes stay, whatever the input says now. */
function gatewaysOf({ cluster, observed, input }: Situation, zones: readonly string[]): readonly string[] {
  const first = zones.find((zone) => observed.has(`nat-${zone}`)) ?? zones[0] ?? '';
  return zones.map((zone) => {
    if (observed.has(`nat-${zone}`)) return zone;
    const route = observed.get(`route-private-${zone}`);
    const used = stringAt(route, 'spec', 'forProvider', 'natGatewayIdRef', 'name');
    const kept = zones.find((other) => used === `${cluster.metadata.name}-nat-${other}`);
    return kept ?? (input.aws.natGateways === 'PerZone' ? zone : first);
  });
}
