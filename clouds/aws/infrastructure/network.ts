/** VPC, subnets and gateways: one public and one private subnet per zone. */
import { LABEL } from '#lib/api/words.ts';
import { type Entry, ref } from '#lib/cloud/managed.ts';
import { managed, vpc } from './resource.ts';
import type { ComposedNetwork, Site, Zone } from './site.ts';
import { tagsOf, unownedTags } from './tags.ts';

export function network(site: Site, { cidr, zones }: ComposedNetwork): readonly Entry[] {
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
    ...natZones(zones).flatMap((zone) => natGateway(site, zone)),
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

function natGateway(site: Site, zone: string): readonly Entry[] {
  const labels = { [LABEL.failureDomain]: zone };
  const eip = { domain: 'vpc', tags: tagsOf(site, `eip-${zone}`, 'common') };
  const gateway = {
    connectivityType: 'public',
    allocationIdRef: ref(site, `eip-${zone}`),
    subnetIdRef: ref(site, `subnet-public-${zone}`),
    tags: tagsOf(site, `nat-${zone}`, 'common'),
  };
  return [
    managed(site, 'EIP', `eip-${zone}`, eip, { labels }),
    managed(site, 'NATGateway', `nat-${zone}`, gateway, { labels }),
  ];
}
