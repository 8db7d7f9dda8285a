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
  /** Of the cluster in GCP. */
  readonly id: string;
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
  /** Blocks of the claim that the subnet reserves. */
  readonly pods: string;
  readonly services: string;
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
    cluster: cluster.metadata.name,
    namespace: cluster.metadata.namespace,
    region,
    network: isComposed ? composedNetwork(situation, region) : existingNetwork(situation, region),
    scheme: schemeOf(situation),
    existing: existingPartsOf(situation, region),
    allowedCIDRs,
    clientCIDRs: [...new Set([...allowedCIDRs, ...input.managementCIDRs])].sort(),
    loadBalancer: needsLoadBalancer(situation, hasLoadBalancer(situation)),
    joinPorts: traffic.joinPorts,
    podTraffic: traffic.podTraffic,
    pods: cluster.spec.network.pods,
    services: cluster.spec.network.services,
    input,
  };
  checkControlPlaneZones(situation, site.network.zones);
  checkTargets(situation, site);
  return site;
}

const LARGEST = 8;
const SMALLEST = 29; // GCP keeps four addresses of each subnet

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
  const wanted = own(input.zones, region) ?? ['a', 'b', 'c'].map((letter) => `${region}-${letter}`);
  checkZones(wanted, region);
  // A zone that was removed from the input stays, because machines are in it.
  const before = [
    ...(previous.infrastructure?.failureDomains ?? []).map(({ name }) => name),
    ...observedZones(situation),
  ];
  return { kind: 'composed', cidr: formatCidr(block), zones: [...new Set([...wanted, ...before])].sort() };
}

const GROUP = 'neg-';

function observedZones({ observed }: Situation): readonly string[] {
  return [...observed.keys()].filter((key) => key.startsWith(GROUP)).map((key) => key.slice(GROUP.length));
}

function checkZones(zones: readonly string[], region: string): void {
  const wrong = zones.find((zone, i) => !zone.startsWith(`${region}-`) || zones.indexOf(zone) !== i);
  if (wrong === undefined) return;
  const accepted = `zones of ${region}, each once, such as ${region}-b`;
  throw refusal(INPUT_NAME, `zones.${region}`, wrong, accepted, 'InvalidInput');
}

function checkControlPlaneZones({ cluster, owner }: Situation, zones: readonly string[]): void {
  const asked = cluster.spec.controlPlane.machine.zones ?? [];
  const index = asked.findIndex((zone) => !zones.includes(zone));
  if (index < 0) return;
  throw refusal(owner, `spec.controlPlane.machine.zones[${index}]`, asked[index] ?? '', zones.join(', '));
}

/** Zones in which a control-plane machine can register; undefined: in all of them. */
export function servedZones({ existing: { loadBalancerTargets } }: Site): ReadonlySet<string> | undefined {
  return loadBalancerTargets === undefined
    ? undefined
    : new Set(loadBalancerTargets.map(({ id }) => id.slice(0, id.indexOf('/'))));
}

/** A machine registers with the group of its zone: in a zone without one it would never serve the API. */
function checkTargets({ cluster, owner, previous }: Situation, site: Site): void {
  const served = servedZones(site);
  if (served === undefined) return;
  const { zones } = site.network;
  const known = previous.infrastructure;
  // What a cluster was created with cannot change any more: an earlier release accepted it.
  const wrong = known === undefined ? [...served].find((zone) => !zones.includes(zone)) : undefined;
  if (wrong !== undefined)
    throw refusal(
      owner,
      'spec.infrastructure.existing.loadBalancerTargets',
      wrong,
      `groups in zones of the cluster: ${zones.join(', ')}`,
    );
  const asked = cluster.spec.controlPlane.machine.zones ?? [];
  const had = (zone: string) => known?.failureDomains.some(({ name, controlPlane }) => name === zone && controlPlane);
  const index = asked.findIndex((zone) => !served.has(zone) && had(zone) !== true);
  if (index < 0) return;
  const accepted = `${[...served].toSorted().join(', ')}, which spec.infrastructure.existing.loadBalancerTargets lead to`;
  throw refusal(owner, `spec.controlPlane.machine.zones[${index}]`, asked[index] ?? '', accepted);
}
