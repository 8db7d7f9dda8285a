/**
 * Firewall rules, by tags of machines: GCP refuses everything else that comes in. Client addresses reach machines
 * unchanged through the load balancer, so that the rules of machines say who may call the Kubernetes API.
 */
import { parseCidr } from '#lib/api/cidr.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { API, type PodTraffic } from '#lib/cloud/traffic.ts';
import { nameIn } from '../names.ts';
import { natAddresses } from './network.ts';
import { output } from '#lib/cloud/observed.ts';
import type { Entry } from '#lib/cloud/managed.ts';
import { description, managed, networkOf } from './resource.ts';
import type { Site } from './site.ts';

type Observed = ReadonlyMap<string, KubeObject>;

/** Tags of machines: every machine is a node. */
export const nodeTag = ({ id }: Pick<Site, 'id'>): string => nameIn(id, 'node');
export const controlPlaneTag = ({ id }: Pick<Site, 'id'>): string => nameIn(id, 'control-plane');

/** The addresses of health checks of internal and of external load balancers. */
const PROBES = ['35.191.0.0/16', '130.211.0.0/22', '209.85.152.0/22', '209.85.204.0/22'];

interface Allowed {
  readonly protocol: string;
  readonly ports?: readonly string[];
}

interface Rule {
  readonly name: string;
  readonly what: string;
  readonly allow: readonly Allowed[];
  readonly to: string;
  readonly from: { readonly tags: readonly string[] } | { readonly blocks: readonly string[] };
}

/** None where somebody else opens ports to the tags that machines have. */
export function firewalls(site: Site, observed: Observed): readonly Entry[] {
  if (site.existing.securityGroups !== undefined) return [];
  return rulesOf(site, observed)
    .filter(({ from }) => 'tags' in from || from.blocks.length > 0)
    .map((rule) => firewall(site, rule));
}

const PREFIX = 'firewall-';
const NAMES = [
  'api',
  'join',
  'pods',
  'etcd',
  'kubelet',
  'clients',
  'clients-ipv6',
  'joiners',
  'nat',
  'probes',
  'nodeports',
  'nodeports-ipv6',
];

/** Whether this release could have created it, for any claim and Composition. @param key composition resource name */
export function isKnownFirewall(key: string): boolean {
  return NAMES.some((name) => key === `${PREFIX}${name}`);
}

function rulesOf(site: Site, observed: Observed): readonly Rule[] {
  const [node, controlPlane] = [nodeTag(site), controlPlaneTag(site)];
  const api = tcp(API.port);
  const join = site.joinPorts.map(({ port }) => tcp(port));
  const nat = site.loadBalancer && site.scheme === 'internet-facing' ? natBlocks(site, observed) : [];
  const nodes = { tags: [node] };
  const clients = byFamily(site.clientCIDRs);
  const ports = byFamily(site.input.gcp.nodePortCIDRs);
  const kubernetes = 'Kubernetes API';
  return [
    { name: 'api', what: `${kubernetes} for machines`, allow: [api], to: controlPlane, from: nodes },
    ...(join.length === 0
      ? []
      : [{ name: 'join', what: 'Joining machines', allow: join, to: controlPlane, from: nodes }]),
    { name: 'pods', what: 'Pod network', allow: site.podTraffic.map(allowed), to: node, from: nodes },
    { name: 'etcd', what: 'etcd', allow: [tcp(2379, 2380)], to: controlPlane, from: { tags: [controlPlane] } },
    { name: 'kubelet', what: 'Kubelet API', allow: [tcp(10_250)], to: node, from: nodes },
    { name: 'clients', what: `${kubernetes} for clients`, allow: [api], to: controlPlane, from: clients.v4 },
    { name: 'clients-ipv6', what: `${kubernetes} for clients`, allow: [api], to: controlPlane, from: clients.v6 },
    { name: 'joiners', what: 'Joining machines', allow: join, to: controlPlane, from: { blocks: joiners(site) } },
    {
      name: 'nat',
      what: `${kubernetes} for machines behind NAT`,
      allow: [api, ...join],
      to: controlPlane,
      from: { blocks: nat },
    },
    {
      name: 'probes',
      what: 'Health checks of the load balancer',
      allow: [api],
      to: controlPlane,
      from: { blocks: site.loadBalancer ? PROBES : [] },
    },
    { name: 'nodeports', what: 'NodePort Services', allow: [tcp(30_000, 32_767)], to: node, from: ports.v4 },
    { name: 'nodeports-ipv6', what: 'NodePort Services', allow: [tcp(30_000, 32_767)], to: node, from: ports.v6 },
  ].filter(({ allow }) => allow.length > 0);
}

/**
 * Machines of an existing network reach an internet-facing load balancer from addresses that are not known here, and so
 * does everyone who may use the API of an endpoint that somebody else serves.
 */
function joiners(site: Site): readonly string[] {
  if (site.joinPorts.length === 0) return [];
  const isForeign = site.network.kind === 'existing' && site.loadBalancer && site.scheme === 'internet-facing';
  return isForeign || !site.loadBalancer ? byFamily(site.allowedCIDRs).v4.blocks : [];
}

/** The addresses of the NAT gateway or, while they cannot be read, those that the rule already has. */
function natBlocks(site: Site, observed: Observed): readonly string[] {
  const keys = natAddresses(site, observed);
  const known = keys.flatMap((key) => output(observed.get(key), 'address') ?? []).map((address) => `${address}/32`);
  const made = observed.get(`${PREFIX}nat`);
  const before = at(made);
  return [...new Set(known.length === keys.length ? known : [...before, ...known])].sort();
}

function at(rule: KubeObject | undefined): readonly string[] {
  const made = (rule?.spec?.['forProvider'] ?? {}) as JsonObject;
  const ranges = made['sourceRanges'];
  return Array.isArray(ranges) ? (ranges as readonly unknown[]).filter((one) => typeof one === 'string') : [];
}

/** GCP refuses a rule with blocks of both. */
function byFamily(blocks: readonly string[]) {
  const of = (family: number) => blocks.filter((block) => parseCidr(block)?.family === family).toSorted();
  return { v4: { blocks: of(4) }, v6: { blocks: of(6) } };
}

function tcp(from: number, to = from): Allowed {
  return { protocol: 'tcp', ports: [from === to ? String(from) : `${from}-${to}`] };
}

/** GCP calls IP in IP by its name, and every protocol `all`. */
const PROTOCOLS: Readonly<Record<string, string>> = { '-1': 'all', '4': 'ipip' };

function allowed({ protocol, fromPort, toPort = fromPort }: PodTraffic): Allowed {
  const name = stringAt(PROTOCOLS, protocol) ?? protocol;
  if (fromPort === undefined) return { protocol: name };
  return { protocol: name, ports: [fromPort === toPort ? String(fromPort) : `${fromPort}-${toPort}`] };
}

function firewall(site: Site, { name, what, allow, to, from }: Rule): Entry {
  return managed(site, 'Firewall', `${PREFIX}${name}`, {
    ...networkOf(site),
    direction: 'INGRESS',
    allow: allow.map(({ protocol, ports }) => ({ protocol, ...(ports === undefined ? {} : { ports: [...ports] }) })),
    ...('tags' in from ? { sourceTags: [...from.tags] } : { sourceRanges: [...from.blocks] }),
    targetTags: [to],
    description: description(site, what),
  });
}
