/** The network load balancer in front of the control plane. Machines register with its target groups themselves. */
import type { JsonObject } from '#lib/api/json.ts';
import { cloudName } from './cluster-id.ts';
import { managed, vpc } from './resource.ts';
import { API, type ServedPort } from '#lib/cloud/traffic.ts';
import { type Entry, ref } from '#lib/cloud/managed.ts';
import type { Site } from './site.ts';
import { tagsOf } from './tags.ts';

const TARGET_GROUPS = { longest: 32 };
const BALANCERS = { ...TARGET_GROUPS, reserved: 'internal-' };

export function loadBalancer(site: Site): readonly Entry[] {
  if (!site.loadBalancer) return [];
  return [
    balancer(site),
    ...[API, ...site.joinPorts].flatMap((served) => [targetGroup(site, served), listener(site, served)]),
  ];
}

// Security groups and subnets are set on creation: the first security group cannot be added later, nor the last one
// removed.
function balancer(site: Site): Entry {
  return managed(site, 'LB', 'lb-api', {
    name: cloudName(site, 'api', BALANCERS),
    loadBalancerType: 'network',
    internal: site.api.scheme === 'internal',
    ...subnets(site),
    securityGroupRefs: [ref(site, 'sg-apiserver-lb')],
    enableCrossZoneLoadBalancing: site.input.aws.crossZoneLoadBalancing,
    ...(site.input.aws.loadBalancerProtection ? { enableDeletionProtection: true } : {}),
    tags: tagsOf(site, 'lb-api', 'apiserver'),
  });
}

function subnets(site: Site): JsonObject {
  const { network, api } = site;
  const internal = api.scheme === 'internal';
  const access = internal ? 'private' : 'public';
  if (network.kind === 'existing')
    return { subnets: Object.values(internal ? network.privateSubnets : network.publicSubnets) };
  return { subnetRefs: network.zones.map(({ name }) => ref(site, `subnet-${access}-${name}`)) };
}

// Client addresses are not preserved: a control-plane machine could not reach itself through the load balancer.
function targetGroup(site: Site, { name, port }: ServedPort): Entry {
  return managed(site, 'LBTargetGroup', `tg-${name}`, {
    ...vpc(site),
    name: cloudName(site, name, TARGET_GROUPS),
    port,
    protocol: 'TCP',
    targetType: 'instance',
    preserveClientIp: 'false',
    // If it is not said, the provider fills in the type alone, which switches stickiness on.
    stickiness: { enabled: false, type: 'source_ip' },
    healthCheck: {
      protocol: 'TCP',
      port: String(port),
      interval: 10,
      timeout: 5,
      healthyThreshold: 5,
      unhealthyThreshold: 3,
    },
    tags: tagsOf(site, `tg-${name}`, 'apiserver'),
  });
}

function listener(site: Site, { name, port }: ServedPort): Entry {
  return managed(site, 'LBListener', `listener-${name}`, {
    loadBalancerArnRef: ref(site, 'lb-api'),
    port,
    protocol: 'TCP',
    defaultAction: [{ type: 'forward', targetGroupArnRef: ref(site, `tg-${name}`) }],
    tags: tagsOf(site, `listener-${name}`, 'apiserver'),
  });
}
