/** VPC, subnets and gateways: one public and one private subnet per zone. */
import { LABEL } from '#lib/api/words.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { type Entry, isIdStored, ref } from '#lib/cloud/managed.ts';
import { notFilledIn } from '#lib/cloud/policies.ts';
import { managed, vpc } from './resource.ts';
import type { ComposedNetwork, Site, Zone } from './site.ts';
import { tagsOf, unownedTags } from './tags.ts';

type Observed = ReadonlyMap<string, KubeObject>;

export function network(site: Site, { cidr, zones }: ComposedNetwork, observed: Observed): readonly Entry[] {
  return [
    managed(site, 'VPC', 'vpc', {
      cidrBlock: cidr,
      enableDnsHostnames: true,
      enableDnsSupport: true,
      tags: tagsOf(site, 'vpc', 'common'),
    }),
    // Nothing uses it. AWS creates it with rules that let its members reach each other; the provider removes them.
    managed(site, 'DefaultSecurityGroup', 'sg-default', {
      ...vpc(site),
      tags: unownedTags(site, 'sg-default', 'common'),
    }),
    managed(site, 'InternetGateway', 'igw', { ...vpc(site), tags: tagsOf(site, 'igw', 'common') }),
    ...zones.flatMap((zone) => [publicSubnet(site, zone), privateSubnet(site, zone)]),
    ...natZones(zones).flatMap((zone) => natGateway(site, zone, observed)),
  ];
}

/** Zones with their own NAT gateway. */
export function natZones(zones: readonly Zone[]): readonly string[] {
  return [...new Set(zones.map(({ gateway }) => gateway))];
}

function publicSubnet(site: Site, { name, blocks }: Zone): Entry {
  const key = `subnet-public-${name}`;
  const forProvider = {
    ...vpc(site),
    availabilityZone: name,
    cidrBlock: blocks.public,
    // Gateways have addresses of their own, and so have load balancers; no machine runs here.
    mapPublicIpOnLaunch: false,
    tags: { ...tagsOf(site, key, 'public'), 'kubernetes.io/role/elb': '1' },
  };
  return managed(site, 'Subnet', key, forProvider, { labels: { [LABEL.failureDomain]: name } });
}

function privateSubnet(site: Site, { name, blocks }: Zone): Entry {
  const key = `subnet-private-${name}`;
  const forProvider = {
    ...vpc(site),
    availabilityZone: name,
    cidrBlock: blocks.private,
    mapPublicIpOnLaunch: false,
    tags: { ...tagsOf(site, key, 'private'), 'kubernetes.io/role/internal-elb': '1' },
  };
  return managed(site, 'Subnet', key, forProvider, { labels: { [LABEL.failureDomain]: name } });
}

function natGateway(site: Site, zone: string, observed: Observed): readonly Entry[] {
  const labels = { [LABEL.failureDomain]: zone };
  const gateway = {
    connectivityType: 'public',
    allocationIdRef: ref(site, `eip-${zone}`),
    subnetIdRef: ref(site, `subnet-public-${zone}`),
    tags: tagsOf(site, `nat-${zone}`, 'common'),
  };
  return [
    address(site, `eip-${zone}`, labels, observed),
    managed(site, 'NATGateway', `nat-${zone}`, gateway, { labels }),
  ];
}

/** The gateway has it. Filled in, the network interface of a gateway that is gone would be asked for again, for ever. */
function address(site: Site, key: string, labels: Readonly<Record<string, string>>, observed: Observed): Entry {
  const [, resource] = managed(site, 'EIP', key, { domain: 'vpc', tags: tagsOf(site, key, 'common') }, { labels });
  return [key, isIdStored(observed.get(key)) ? notFilledIn(resource) : resource];
}
