/**
 * Region, zones and network of a cluster. Earlier decisions are read from what is observed, because regions, zones and
 * networks of existing machines cannot change.
 */
import { refusal } from '#lib/api/refusal.ts';
import type { Scheme } from '#lib/cloud/chosen-once.ts';
import { needsLoadBalancer } from '#lib/cloud/endpoint.ts';
import { clusterRegion } from '#lib/cloud/region.ts';
import { type RegionalNetwork, regionalNetwork } from '#lib/cloud/regional-network.ts';
import { type ApiClients, apiClients, type ClusterSite } from '#lib/cloud/site.ts';
import { refuseUnknownZones } from '#lib/cloud/site-zones.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { ZONE_NAMES } from '../zones.ts';
import { hasLoadBalancer, refuseOtherNetwork, schemeOf } from './chosen-once.ts';
import { clusterIDOf } from './cluster-id.ts';
import { type ExistingNetwork, existingNetwork, existingPartsOf } from './existing.ts';
import { checkTags } from './platform-tags.ts';
import type { Input, Situation } from './situation.ts';

export interface Site extends ClusterSite<Input, RegionalNetwork | ExistingNetwork>, ApiClients {
  /** Of the cluster in GCP. */
  readonly id: string;
  readonly scheme: Scheme;
  /** Blocks of the claim that the subnet reserves. */
  readonly pods: string;
  readonly services: string;
}

export function siteOf(situation: Situation): Site {
  refuseOtherNetwork(situation);
  const { cluster, input, traffic } = situation;
  checkTags(input.tags);
  const region = clusterRegion(situation, NATIVE_NAMES);
  const { network, subnets } = cluster.spec.infrastructure.existing;
  const isComposed = network === undefined && subnets.length === 0;
  const site: Site = {
    id: clusterIDOf(situation),
    cluster: cluster.metadata.name,
    namespace: cluster.metadata.namespace,
    region,
    network: isComposed ? composedNetwork(situation, region) : existingNetwork(situation, region),
    scheme: schemeOf(situation),
    existing: existingPartsOf(situation, region),
    ...apiClients(situation, cluster.spec.controlPlane.allowedCIDRs ?? []),
    loadBalancer: needsLoadBalancer(situation, hasLoadBalancer(situation)),
    joinPorts: traffic.joinPorts,
    podTraffic: traffic.podTraffic,
    pods: cluster.spec.network.pods,
    services: cluster.spec.network.services,
    input,
  };
  refuseUnknownZones(situation, site.network.zones);
  checkTargets(situation, site);
  checkAddress(situation, site);
  return site;
}

function composedNetwork(situation: Situation, region: string): RegionalNetwork {
  return regionalNetwork(situation, region, ZONE_NAMES, observedZones(situation));
}

const GROUP = 'neg-';

function observedZones({ observed }: Situation): readonly string[] {
  return [...observed.keys()].filter((key) => key.startsWith(GROUP)).map((key) => key.slice(GROUP.length));
}

/** Zones in which a control-plane machine can register; undefined: in all of them. */
export function servedZones({ existing: { loadBalancerTargets } }: Site): ReadonlySet<string> | undefined {
  return loadBalancerTargets === undefined
    ? undefined
    : new Set(loadBalancerTargets.map(({ id }) => id.slice(0, id.indexOf('/'))));
}

/** A machine drops packets for an address that it does not have. What exists was accepted before. */
function checkAddress({ cluster, owner, traffic, previous }: Situation, { loadBalancer, existing }: Site): void {
  if (traffic.takesAddress || previous.infrastructure !== undefined) return;
  if (!loadBalancer && existing.loadBalancerTargets === undefined) return;
  throw refusal(
    owner,
    'spec.bootstrap.provider',
    cluster.spec.bootstrap.provider,
    'one whose hosts run units, since the load balancer of GCP passes packets on with its own address; or spec.controlPlane.endpoint of another load balancer',
  );
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
