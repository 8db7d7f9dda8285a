/** The network load balancer in front of the Kubernetes API. Machines register with its target group themselves. */
import type { JsonObject } from '#lib/api/json.ts';
import { joinName } from '#lib/api/names.ts';
import { type Entry, managed, ref, vpc } from './resource.ts';
import { API_PORT } from './security-rules.ts';
import type { Site } from './site.ts';
import { tagsOf } from './tags.ts';

const LONGEST_NAME = 32; // of load balancers and target groups

export function loadBalancer(site: Site): readonly Entry[] {
  if (!site.loadBalancer) return [];
  return [balancer(site), targetGroup(site), listener(site)];
}

// Security groups and subnets are given when it is made: neither the first nor the last of them can be changed later.
function balancer(site: Site): Entry {
  return managed(site, 'LB', 'lb-api', {
    name: joinName([site.cluster, 'api', site.mark], LONGEST_NAME),
    loadBalancerType: 'network',
    internal: site.internal,
    ...subnets(site),
    securityGroupRefs: [ref(site, 'sg-apiserver-lb')],
    enableCrossZoneLoadBalancing: site.input.aws.crossZoneLoadBalancing,
    tags: tagsOf(site, 'lb-api', 'apiserver'),
  });
}

function subnets(site: Site): JsonObject {
  const { network, internal } = site;
  const access = internal ? 'private' : 'public';
  if (network.kind === 'existing')
    return { subnets: Object.values(internal ? network.privateSubnets : network.publicSubnets) };
  return { subnetRefs: network.zones.map(({ name }) => ref(site, `subnet-${access}-${name}`)) };
}

// Client addresses are not preserved: a control-plane machine could not reach itself through the load balancer.
function targetGroup(site: Site): Entry {
  return managed(site, 'LBTargetGroup', 'tg-api', {
    ...vpc(site),
    name: joinName([site.cluster, 'api', site.mark], LONGEST_NAME),
    port: API_PORT,
    protocol: 'TCP',
    targetType: 'instance',
    preserveClientIp: 'false',
    healthCheck: {
      protocol: 'TCP',
      port: String(API_PORT),
      interval: 10,
      timeout: 5,
      healthyThreshold: 5,
      unhealthyThreshold: 3,
    },
    tags: tagsOf(site, 'tg-api', 'apiserver'),
  });
}

function listener(site: Site): Entry {
  return managed(site, 'LBListener', 'listener-api', {
    loadBalancerArnRef: ref(site, 'lb-api'),
    port: API_PORT,
    protocol: 'TCP',
    defaultAction: [{ type: 'forward', targetGroupArnRef: ref(site, 'tg-api') }],
    tags: tagsOf(site, 'listener-api', 'apiserver'),
  });
}
