/** The security groups, and the rules for traffic between them, each as its own object. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Traffic } from '#lib/cloud/traffic.ts';
import { type Entry, ref } from '#lib/cloud/managed.ts';
import { cloudName } from './cluster-id.ts';
import { managed, vpc } from './resource.ts';
import { type Group, type Rule, type Source, ingressRules, ruleNames } from './security-rules.ts';
import type { Site } from './site.ts';
import { tagsOf, unownedTags } from './tags.ts';

const DESCRIPTIONS: Readonly<Record<Group, string>> = {
  controlplane: 'Kubernetes control plane',
  node: 'Kubernetes nodes',
  'apiserver-lb': 'Load balancer of the Kubernetes API',
  lb: 'Load balancers of Services, managed by the cloud provider',
};

const NAMES = { longest: 255, reserved: 'sg-' };

const GROUPS: readonly Group[] = ['controlplane', 'node', 'apiserver-lb', 'lb'];

export function securityGroups(site: Site, observed: ReadonlyMap<string, KubeObject>): readonly Entry[] {
  const groups = GROUPS.filter((group) => isMade(site, group));
  return [
    ...groups.map((group) => securityGroup(site, group)),
    ...groups.map((group) => allEgress(site, group)),
    ...ingressRules(site, observed)
      .filter(({ group }) => isMade(site, group))
      .flatMap((rule) => sourcesOf(site, rule).map((source) => ingress(site, { ...rule, source }))),
  ];
}

/** Whether Slipway makes it; groups of somebody else get no rule from it. */
function isMade({ loadBalancer, existing }: Site, group: Group): boolean {
  return group === 'apiserver-lb' ? loadBalancer : existing.securityGroups === undefined;
}

/** A source that somebody else provides is one for each of its groups. */
function sourcesOf({ existing: { securityGroups } }: Site, { source }: Rule): readonly Source[] {
  if (!('group' in source) || securityGroups === undefined || source.group === 'apiserver-lb') return [source];
  const ids = source.group === 'controlplane' ? securityGroups.controlPlane : securityGroups.worker;
  return ids.map((id) => ({ id }));
}

function securityGroup(site: Site, group: Group): Entry {
  const key = `sg-${group}`;
  return managed(site, 'SecurityGroup', key, {
    ...vpc(site),
    name: cloudName(site, group, NAMES),
    description: `${DESCRIPTIONS[group]} of ${site.namespace}/${site.cluster}`,
    tags: group === 'lb' ? tagsOf(site, key, group) : unownedTags(site, key, group),
  });
}

// The provider removes the allow-all egress rule of AWS when it creates a group, so egress is allowed here explicitly.
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

function ingress(site: Site, rule: Rule): Entry {
  const { group, name, description, protocol, fromPort, toPort, source, custom } = rule;
  const key = `ingress-${group}-${name}-${slug(source)}`;
  const forProvider = {
    securityGroupIdRef: ref(site, `sg-${group}`),
    description,
    ipProtocol: protocol,
    ...(fromPort === undefined ? {} : { fromPort }),
    ...(toPort === undefined ? {} : { toPort }),
    ...from(site, source),
    tags: unownedTags(site, key, group),
  };
  return managed(site, 'SecurityGroupIngressRule', key, forProvider, custom ? { labels: CUSTOM } : {});
}

/** Marks rules from the Composition: they are deleted when the Composition no longer has them. */
const CUSTOM = { 'slipway.dev/rule': 'custom' };

/** Whether this release could have created it, for any claim and Composition. @param any rules of every bootstrapper */
export function isKnownRule({ metadata }: KubeObject, key: string, any: Traffic): boolean {
  if (metadata?.labels?.['slipway.dev/rule'] === CUSTOM['slipway.dev/rule']) return true;
  return GROUPS.some((group) => {
    if (key === `egress-${group}`) return true;
    if (!key.startsWith(`ingress-${group}-`)) return false;
    const beginnings = ruleNames(any).map((name) => `ingress-${group}-${name}-`);
    return beginnings.some((beginning) => key.startsWith(beginning) && SLUG.test(key.slice(beginning.length)));
  });
}

/** A result of `slug`: a group, the id of one of somebody else, the address of a gateway, or a block. */
const SLUG = /^(controlplane|node|apiserver-lb|lb|nat-.+|sg-[0-9a-z]+|[0-9a-f.-]*-[0-9]+)$/;

function from(site: Site, source: Source): JsonObject {
  if ('id' in source) return { referencedSecurityGroupId: source.id };
  if ('group' in source) return { referencedSecurityGroupIdRef: ref(site, `sg-${source.group}`) };
  return source.cidr.includes(':') ? { cidrIpv6: source.cidr } : { cidrIpv4: source.cidr };
}

/** The source as part of an object name: adding or removing one renames no other rule. */
function slug(source: Source): string {
  if ('id' in source) return source.id;
  if ('group' in source) return source.group;
  return source.named ?? source.cidr.toLowerCase().replace(/[^a-z0-9.]+/g, '-');
}
