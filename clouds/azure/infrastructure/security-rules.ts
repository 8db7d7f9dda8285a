/**
 * What may reach machines, by groups of machines: everything else is refused, also from the same network. Client
 * addresses reach machines unchanged through the load balancer, so that the rules of machines say who may call the API.
 */
import { parseCidr } from '#lib/api/cidr.ts';
import { at, type JsonObject, type KubeObject, own } from '#lib/api/json.ts';
import { API, type PodTraffic } from '#lib/cloud/traffic.ts';
import { natAddresses } from './network.ts';
import { output } from '#lib/cloud/observed.ts';
import type { Observed } from './resource.ts';
import type { Site } from './site.ts';

export type MachineGroup = 'node' | 'control-plane';

/** Composition resource name of a group of machines: every machine is a node. */
export const groupKey = (group: MachineGroup): string => `machines-${group}`;

export interface Rule {
  readonly name: string;
  readonly what: string;
  readonly protocol: string;
  readonly ports: readonly string[];
  /** Undefined: every machine and what else has the security group. */
  readonly to: MachineGroup | undefined;
  readonly from: { readonly group: MachineGroup } | { readonly blocks: readonly string[] } | { readonly tag: string };
  readonly refuses?: boolean;
}

const PREFIX = 'rule-';
export const ruleKey = (name: string): string => `${PREFIX}${name}`;

const NAMES = ['api', 'join', 'etcd', 'kubelet', 'clients', 'joiners', 'nat', 'probes', 'nodeports', 'others'];

/** Whether this release could have created it, for any claim and Composition. @param key composition resource name */
export function isKnownRule(key: string): boolean {
  return key.startsWith(ruleKey('pods-')) || NAMES.some((name) => key === ruleKey(name));
}

export function rulesOf(site: Site, observed: Observed): readonly Rule[] {
  const api = String(API.port);
  const join = site.joinPorts.map(({ port }) => String(port));
  const [nodes, controlPlanes] = [{ group: 'node' }, { group: 'control-plane' }] as const;
  const kubernetes = 'Kubernetes API';
  const nat = site.loadBalancer && site.scheme === 'internet-facing' ? natBlocks(site, observed) : [];
  const rules: readonly Rule[] = [
    tcp('api', `${kubernetes} for machines`, [api], 'control-plane', nodes),
    tcp('join', 'Joining machines', join, 'control-plane', nodes),
    ...site.podTraffic.map((traffic) => podRule(traffic, nodes)),
    tcp('etcd', 'etcd', ['2379-2380'], 'control-plane', controlPlanes),
    tcp('kubelet', 'Kubelet API', ['10250'], 'node', nodes),
    tcp('clients', `${kubernetes} for clients`, [api], 'control-plane', { blocks: ipv4(site.clientCIDRs) }),
    tcp('joiners', 'Joining machines', join, 'control-plane', { blocks: joiners(site) }),
    tcp('nat', `${kubernetes} for machines behind NAT`, [api, ...join], 'control-plane', { blocks: nat }),
    // Of the API, and of Services: they come from an address that is part of every network.
    {
      ...tcp('probes', 'Health checks of load balancers', ['*'], undefined, { tag: 'AzureLoadBalancer' }),
      protocol: '*',
    },
    tcp('nodeports', 'NodePort Services', ['30000-32767'], 'node', { blocks: ipv4(site.input.azure.nodePortCIDRs) }),
    {
      name: 'others',
      what: 'Everything else from its network and from peers',
      protocol: '*',
      ports: ['*'],
      to: undefined,
      from: { tag: 'VirtualNetwork' },
      refuses: true,
    },
  ];
  return rules.filter(({ ports, from }) => ports.length > 0 && !('blocks' in from && from.blocks.length === 0));
}

function tcp(
  name: string,
  what: string,
  ports: readonly string[],
  to: MachineGroup | undefined,
  from: Rule['from'],
): Rule {
  return { name, what, protocol: 'Tcp', ports, to, from };
}

const PROTOCOLS: Readonly<Record<string, string>> = { tcp: 'Tcp', udp: 'Udp', '1': 'Icmp', '50': 'Esp', '51': 'Ah' };
/** Azure carries no IP in IP: a pod network that uses it elsewhere sends VXLAN here, as Calico numbers it. */
const IP_IN_IP = '4';
const VXLAN = '4789';

function podRule({ name, description, protocol, fromPort, toPort = fromPort }: PodTraffic, from: Rule['from']): Rule {
  if (protocol === IP_IN_IP)
    return { name: 'pods-vxlan', what: 'VXLAN', protocol: 'Udp', ports: [VXLAN], to: 'node', from };
  const ports = fromPort === undefined ? '*' : fromPort === toPort ? String(fromPort) : `${fromPort}-${toPort}`;
  return {
    name: `pods-${name}`,
    what: description,
    protocol: own(PROTOCOLS, protocol) ?? '*',
    ports: [ports],
    to: 'node',
    from,
  };
}

/**
 * Machines of an existing network reach an internet-facing load balancer from addresses that are not known here, and so
 * does everyone who may use the API of an endpoint that somebody else serves.
 */
function joiners(site: Site): readonly string[] {
  const isForeign = site.network.kind === 'existing' && site.loadBalancer && site.scheme === 'internet-facing';
  return isForeign || !site.loadBalancer ? ipv4(site.allowedCIDRs) : [];
}

/** The addresses of the NAT gateway or, while they cannot be read, those that the rule already has. */
function natBlocks(site: Site, observed: Observed): readonly string[] {
  const keys = natAddresses(site, observed);
  const known = keys.flatMap((key) => output(observed.get(key), 'ipAddress') ?? []).map((address) => `${address}/32`);
  const before = prefixesOf(observed.get(ruleKey('nat')));
  return [...new Set(known.length === keys.length ? known : [...before, ...known])].sort();
}

function prefixesOf(rule: KubeObject | undefined): readonly string[] {
  const made = at(rule, 'spec', 'forProvider', 'sourceAddressPrefixes');
  return Array.isArray(made) ? (made as readonly unknown[]).filter((one) => typeof one === 'string') : [];
}

export function ipv4(blocks: readonly string[]): readonly string[] {
  return blocks.filter((block) => parseCidr(block)?.family === 4).toSorted();
}

/** The source of a rule, as Azure has it. @param idOf of a group of machines */
export function sourceOf({ from }: Rule, idOf: (group: MachineGroup) => string): JsonObject {
  if ('group' in from) return { sourceApplicationSecurityGroupIds: [idOf(from.group)] };
  return 'tag' in from ? { sourceAddressPrefix: from.tag } : { sourceAddressPrefixes: [...from.blocks] };
}
