/** The security groups and, each as an object of its own, the rules of who may reach whom. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { type Entry, managed, ref, vpc } from './resource.ts';
import { type Group, type Rule, type Source, ingressRules } from './security-rules.ts';
import type { Site } from './site.ts';
import { tagsOf, unownedTags } from './tags.ts';

const DESCRIPTIONS: Readonly<Record<Group, string>> = {
  controlplane: 'Kubernetes control plane',
  node: 'Kubernetes nodes',
  'apiserver-lb': 'Load balancer of the Kubernetes API',
  lb: 'Load balancers of Services, managed by the cloud provider',
};

export function securityGroups(site: Site, observed: ReadonlyMap<string, KubeObject>): readonly Entry[] {
  const groups: readonly Group[] = [
    'controlplane',
    'node',
    ...(site.loadBalancer ? ['apiserver-lb' as const] : []),
    'lb',
  ];
  return [
    ...groups.map((group) => securityGroup(site, group)),
    ...groups.map((group) => allEgress(site, group)),
    ...ingressRules(site, observed).map((rule) => ingress(site, rule)),
  ];
}

function securityGroup(site: Site, group: Group): Entry {
  const key = `sg-${group}`;
  return managed(site, 'SecurityGroup', key, {
    ...vpc(site),
    name: `${site.cluster}-${group}-${site.mark}`,
    description: `${DESCRIPTIONS[group]} of ${site.namespace}/${site.cluster}`,
    tags: group === 'lb' ? tagsOf(site, key, group) : unownedTags(site, key, group),
  });
}

// The provider takes AWS' own allow-all rule away when it makes a group, so everybody's way out is said here.
function allEgress(site: Site, group: Group): Entry {
  const key = `egress-${group}`;
  return managed(site, 'SecurityGroupEgressRule', key, {
    securityGroupIdRef: ref(site, `sg-${group}`),
    description: 'everything out',
    ipProtocol: '-1',
    cidrIpv4: '0.0.0.0/0',
    tags: unownedTags(site, key, group),
  });
}

function ingress(site: Site, { group, name, description, protocol, fromPort, toPort, source }: Rule): Entry {
  const key = `ingress-${group}-${name}-${slug(source)}`;
  return managed(site, 'SecurityGroupIngressRule', key, {
    securityGroupIdRef: ref(site, `sg-${group}`),
    description,
    ipProtocol: protocol,
    ...(fromPort === undefined ? {} : { fromPort }),
    ...(toPort === undefined ? {} : { toPort }),
    ...from(site, source),
    tags: unownedTags(site, key, group),
  });
}

function from(site: Site, source: Source): JsonObject {
  if ('group' in source) return { referencedSecurityGroupIdRef: ref(site, `sg-${source.group}`) };
  return source.cidr.includes(':') ? { cidrIpv6: source.cidr } : { cidrIpv4: source.cidr };
}

/** The source as part of an object name: adding or removing one renames no other rule. */
function slug(source: Source): string {
  if ('group' in source) return source.group;
  return source.named ?? source.cidr.toLowerCase().replace(/[^a-z0-9.]+/g, '-');
}
