/** The network: one subnet for all zones of the region, and its NAT gateway, whose addresses are known. */
import { at, type JsonObject } from '#lib/api/json.ts';
import { type Entry, ref } from '#lib/cloud/managed.ts';
import type { RegionalNetwork } from '#lib/cloud/regional-network.ts';
import { zoneNumber } from '../zones.ts';
import { idIn } from '../ids.ts';
import { nameIn } from '../names.ts';
import { known, managed, type Observed } from './resource.ts';
import type { Site } from './site.ts';
import { clusterTags } from './tags.ts';

const GATEWAYS = 'Microsoft.Network/natGateways';
const ADDRESSES = 'Microsoft.Network/publicIPAddresses';
const NETWORKS = 'Microsoft.Network/virtualNetworks';

export function network(site: Site, { cidr }: RegionalNetwork, observed: Observed): readonly Entry[] {
  return [
    managed(site, 'VirtualNetwork', 'network', { addressSpace: [cidr], tags: clusterTags(site) }),
    managed(site, 'Subnet', 'subnet', {
      virtualNetworkNameRef: ref(site, 'network'),
      addressPrefixes: [cidr],
      // Machines reach others by the NAT gateway alone, and vaults, which have their first-boot data, without it.
      defaultOutboundAccessEnabled: false,
      serviceEndpoints: ['Microsoft.KeyVault'],
    }),
    managed(site, 'NATGateway', 'nat', { skuName: 'Standard', tags: clusterTags(site) }),
    ...natAddresses(site, observed).flatMap((key) => [
      publicAddress(site, key, observed),
      ...known(
        site,
        'NATGatewayPublicIPAssociation',
        `${key}-use`,
        observed,
        { natGatewayIdRef: ref(site, 'nat'), publicIpAddressIdRef: ref(site, key) },
        (group) => `${idIn(group, GATEWAYS, nameIn(site.id, 'nat'))}|${idIn(group, ADDRESSES, nameIn(site.id, key))}`,
      ),
    ]),
    ...known(
      site,
      'SubnetNATGatewayAssociation',
      'subnet-nat',
      observed,
      { natGatewayIdRef: ref(site, 'nat'), subnetIdRef: ref(site, 'subnet') },
      (group) => `${idIn(group, NETWORKS, nameIn(site.id, 'network'))}/subnets/${nameIn(site.id, 'subnet')}`,
    ),
  ];
}

/** A public address that outlives the loss of a zone. */
export function publicAddress(site: Site, key: string, observed: Observed): Entry {
  return managed(site, 'PublicIP', key, {
    allocationMethod: 'Static',
    sku: 'Standard',
    ...zonesOf(site, at(observed.get(key), 'spec', 'forProvider', 'zones')),
    tags: clusterTags(site),
  });
}

/** The zones of an object, which cannot change. @param made those it has */
export function zonesOf({ network: { zones } }: Site, made: unknown): JsonObject {
  return { zones: Array.isArray(made) ? (made as readonly string[]) : [...new Set(zones.map(zoneNumber))] };
}

const ADDRESS = 'nat-address-';

/** Composition resource names. Addresses that exist stay: others may have opened their networks to them. */
export function natAddresses({ network: { kind }, input }: Site, observed: Observed): readonly string[] {
  if (kind === 'existing') return [];
  const known = [...observed.keys()].filter((key) => /^nat-address-\d+$/.test(key));
  const wanted = Array.from({ length: input.azure.natAddresses }, (_, n) => `${ADDRESS}${n}`);
  return [...new Set([...known, ...wanted])].sort();
}
