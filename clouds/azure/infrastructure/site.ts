/**
 * Region, zones and network of a cluster. Earlier decisions are read from what is observed, because regions, zones and
 * networks of existing machines cannot change.
 */
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
  /** Of the cluster in Azure: the name of its resource group, unless that exists. */
  readonly id: string;
  /** Of the claim object: another one of the same name is another cluster. */
  readonly uid: string;
  readonly scheme: Scheme;
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
    uid: situation.composite.metadata?.uid ?? '',
    cluster: cluster.metadata.name,
    namespace: cluster.metadata.namespace,
    region,
    network: isComposed ? composedNetwork(situation, region) : existingNetwork(situation, region),
    scheme: schemeOf(situation),
    existing: existingPartsOf(situation),
    ...apiClients(situation, cluster.spec.controlPlane.allowedCIDRs ?? []),
    loadBalancer: needsLoadBalancer(situation, hasLoadBalancer(situation)),
    joinPorts: traffic.joinPorts,
    podTraffic: traffic.podTraffic,
    input,
  };
  refuseUnknownZones(situation, site.network.zones);
  return site;
}

function composedNetwork(situation: Situation, region: string): RegionalNetwork {
  return regionalNetwork(situation, region, ZONE_NAMES, []);
}
