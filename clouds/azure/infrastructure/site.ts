/**
 * Region, zones and network of a cluster. Earlier decisions are read from what is observed, because regions, zones and
 * networks of existing machines cannot change.
 */
import { formatCidr, parseCidr } from '#lib/api/cidr.ts';
import { own } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import { INPUT_NAME } from '#lib/cloud/cluster-input.ts';
import { needsLoadBalancer } from '#lib/cloud/endpoint.ts';
import type { ExistingParts } from '#lib/cloud/existing-parts.ts';
import { clusterRegion } from '#lib/cloud/region.ts';
import type { PodTraffic, ServedPort } from '#lib/cloud/traffic.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { isZoneOf, usualZones } from '../zones.ts';
import { hasLoadBalancer, refuseOtherNetwork, type Scheme, schemeOf } from './chosen-once.ts';
import { clusterIDOf } from './cluster-id.ts';
import { type ExistingNetwork, existingNetwork, existingPartsOf } from './existing.ts';
import { checkTags } from './platform-tags.ts';
import type { Situation } from './situation.ts';

export interface ComposedNetwork {
  readonly kind: 'composed';
  /** Of the one subnet, which serves all zones. */
  readonly cidr: string;
  /** Sorted. */
  readonly zones: readonly string[];
}

export interface Site {
  /** Of the cluster in Azure: the name of its resource group, unless that exists. */
  readonly id: string;
  /** Of the claim object: another one of the same name is another cluster. */
  readonly uid: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly region: string;
  readonly network: ComposedNetwork | ExistingNetwork;
  readonly scheme: Scheme;
  /** What somebody else provides besides the network. */
  readonly existing: ExistingParts;
  /** Blocks of the claim, sorted. */
  readonly allowedCIDRs: readonly string[];
  /** With the blocks of the management cluster, sorted. */
  readonly clientCIDRs: readonly string[];
  /** Whether Slipway creates a load balancer for the API. */
  readonly loadBalancer: boolean;
  /** Ports of control-plane machines besides the Kubernetes API, for machines of the same cluster. */
  readonly joinPorts: readonly ServedPort[];
  /** Traffic between machines for the pod network. */
  readonly podTraffic: readonly PodTraffic[];
  readonly input: Situation['input'];
}

export function siteOf(situation: Situation): Site {
  refuseOtherNetwork(situation);
  const { cluster, input, traffic } = situation;
  checkTags(input.tags);
  const region = clusterRegion(situation, NATIVE_NAMES);
  const { network, subnets } = cluster.spec.infrastructure.existing;
  const isComposed = network === undefined && subnets.length === 0;
  const allowedCIDRs = (cluster.spec.controlPlane.allowedCIDRs ?? []).toSorted();
  const site: Site = {
    id: clusterIDOf(situation),
    uid: situation.composite.metadata?.uid ?? '',
    cluster: cluster.metadata.name,
    namespace: cluster.metadata.namespace,
    region,
    network: isComposed ? composedNetwork(situation, region) : existingNetwork(situation, region),
    scheme: schemeOf(situation),
    existing: existingPartsOf(situation),
    allowedCIDRs,
    clientCIDRs: [...new Set([...allowedCIDRs, ...input.managementCIDRs])].sort(),
    loadBalancer: needsLoadBalancer(situation, hasLoadBalancer(situation)),
    joinPorts: traffic.joinPorts,
    podTraffic: traffic.podTraffic,
    input,
  };
  checkControlPlaneZones(situation, site.network.zones);
  return site;
}

const LARGEST = 8;
const SMALLEST = 29; // Azure keeps five addresses of each subnet

function composedNetwork(situation: Situation, region: string): ComposedNetwork {
  const { cluster, input, previous, owner } = situation;
  const block = parseCidr(cluster.spec.network.nodes);
  if (block?.family !== 4 || block.prefix < LARGEST || block.prefix > SMALLEST)
    throw refusal(
      owner,
      'spec.network.nodes',
      cluster.spec.network.nodes,
      `an IPv4 block from /${LARGEST} to /${SMALLEST}`,
    );
  const wanted = own(input.zones, region) ?? usualZones(region);
  checkZones(wanted, region);
  // A zone that was removed from the input stays, because machines are in it.
  const before = (previous.infrastructure?.failureDomains ?? []).map(({ name }) => name);
  return { kind: 'composed', cidr: formatCidr(block), zones: [...new Set([...wanted, ...before])].sort() };
}

function checkZones(zones: readonly string[], region: string): void {
  const wrong = zones.find((zone, i) => !isZoneOf(region, zone) || zones.indexOf(zone) !== i);
  if (wrong === undefined) return;
  const accepted = `zones of ${region}, each once, such as ${region}-1`;
  throw refusal(INPUT_NAME, `zones.${region}`, wrong, accepted, 'InvalidInput');
}

function checkControlPlaneZones({ cluster, owner }: Situation, zones: readonly string[]): void {
  const asked = cluster.spec.controlPlane.machine.zones ?? [];
  const index = asked.findIndex((zone) => !zones.includes(zone));
  if (index < 0) return;
  throw refusal(owner, `spec.controlPlane.machine.zones[${index}]`, asked[index] ?? '', zones.join(', '));
}
