/** The rules for traffic between groups and ports: those of Cluster API for AWS, as a list. */
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { ANYWHERE } from '#lib/cloud/api-clients.ts';
import { API, type ServedPort, type Traffic } from '#lib/cloud/traffic.ts';
import { output } from '#lib/cloud/observed.ts';
import { natZones } from './network.ts';
import type { Site } from './site.ts';

export type Group = 'controlplane' | 'node' | 'apiserver-lb' | 'lb';

/** The allowed source: another group of the cluster, one of somebody else, or a block. */
export type Source =
  { readonly group: Group } | { readonly id: string } | { readonly cidr: string; readonly named?: string };

export interface Rule {
  readonly group: Group;
  readonly name: string;
  readonly description: string;
  readonly protocol: string;
  readonly fromPort?: number | undefined;
  readonly toPort?: number | undefined;
  readonly source: Source;
  /** Whether the rule comes from the Composition. */
  readonly custom?: boolean;
}

/** Names of all rules except those of a Composition. @param any rules of every bootstrapper */
export function ruleNames(any: Traffic): readonly string[] {
  return [
    ...[API, ...any.joinPorts].map(({ name }) => name),
    ...any.podTraffic.map(({ name }) => name),
    'etcd',
    'etcd-peer',
    'kubelet',
    'nodeport',
  ];
}

export function ingressRules(site: Site, observed: ReadonlyMap<string, KubeObject>): readonly Rule[] {
  return [...controlPlaneRules(site), ...nodeRules(site), ...apiRules(site, observed)];
}

function controlPlaneRules(site: Site): readonly Rule[] {
  const own = { group: 'controlplane' } as const;
  const { clientCIDRs, allowedCIDRs } = site.api;
  const callers = (cidrs: readonly string[]): readonly Source[] => [
    ...(site.loadBalancer ? [{ group: 'apiserver-lb' } as const] : cidrs.map((cidr) => ({ cidr }))),
    { group: 'controlplane' },
    { group: 'node' },
  ];
  const served = (port: ServedPort, cidrs: readonly string[]) =>
    callers(cidrs).map((source) => ({ ...own, ...portOf(port), source }));
  return [
    ...served(API, clientCIDRs),
    ...site.joinPorts.flatMap((port) => served(port, allowedCIDRs)),
    { ...own, ...tcp('etcd', 'etcd', 2379), source: own },
    { ...own, ...tcp('etcd-peer', 'etcd peer', 2380), source: own },
    ...podRules(site, 'controlplane'),
  ];
}

function nodeRules(site: Site): readonly Rule[] {
  const own = { group: 'node' } as const;
  const kubelet = tcp('kubelet', 'Kubelet API', 10_250);
  return [
    ...site.input.aws.nodePortCIDRs.map((cidr) => ({
      ...own,
      ...tcp('nodeport', 'NodePort Services', 30_000, 32_767),
      source: { cidr },
    })),
    { ...own, ...kubelet, source: { group: 'controlplane' } },
    { ...own, ...kubelet, source: own },
    ...podRules(site, 'node'),
  ];
}

function podRules({ podTraffic, input }: Site, group: Group): readonly Rule[] {
  const custom = input.aws.cniRules !== undefined;
  const sources: readonly Group[] = ['controlplane', 'node'];
  return podTraffic.flatMap((rule) => sources.map((source) => ({ group, ...rule, source: { group: source }, custom })));
}

/** The load balancer's own group, and what it may reach on the machines of the `lb` group. */
function apiRules(site: Site, observed: ReadonlyMap<string, KubeObject>): readonly Rule[] {
  if (!site.loadBalancer) return [];
  const rule = { group: 'apiserver-lb', ...portOf(API) } as const;
  const { clientCIDRs } = site.api;
  const allowed = clientCIDRs.map((cidr) => ({ ...rule, source: { cidr } }));
  const nodes = clientCIDRs.includes(ANYWHERE) ? [] : nodeSources(site, observed);
  const own = nodes
    .filter((source) => !('cidr' in source && clientCIDRs.includes(source.cidr)))
    .map((source) => ({ ...rule, description: 'Kubernetes API for the nodes', source }));
  const targets: readonly Rule[] =
    site.network.kind === 'composed' ? [{ group: 'lb', ...portOf(API), source: { cidr: site.network.cidr } }] : [];
  return [...allowed, ...own, ...targets, ...joinRules(site, observed)];
}

/** Clients that may only use the Kubernetes API must not reach the join ports. */
function joinRules(site: Site, observed: ReadonlyMap<string, KubeObject>): readonly Rule[] {
  const foreign = site.network.kind === 'existing' && site.api.scheme === 'internet-facing';
  const joiners = foreign ? site.api.allowedCIDRs.map((cidr) => ({ cidr })) : nodeSources(site, observed);
  return site.joinPorts.flatMap((served) =>
    joiners.map((source) => ({ group: 'apiserver-lb', ...portOf(served), source })),
  );
}

/**
 * The source addresses of the cluster's own nodes at the load balancer: their NAT gateways if it is public. These
 * addresses are known late. In an existing network they are never known, so its owner lists them in allowedCIDRs.
 */
function nodeSources(site: Site, observed: ReadonlyMap<string, KubeObject>): readonly Source[] {
  const { network } = site;
  if (network.kind === 'existing') return [{ group: 'controlplane' }, { group: 'node' }];
  if (site.api.scheme === 'internal') return [{ cidr: network.cidr }];
  return natZones(network.zones).flatMap((zone) => {
    const cidr = natAddress(zone, site, observed);
    return cidr === undefined ? [] : [{ cidr, named: `nat-${zone}` }];
  });
}

/** The address a gateway has or, while it cannot be read, the one its rule already names. */
function natAddress(zone: string, { joinPorts }: Site, observed: ReadonlyMap<string, KubeObject>): string | undefined {
  const address = output(observed.get(`nat-${zone}`), 'publicIp') ?? output(observed.get(`eip-${zone}`), 'publicIp');
  if (address !== undefined) return `${address}/32`;
  const named = [API, ...joinPorts].map(({ name }) => observed.get(`ingress-apiserver-lb-${name}-nat-${zone}`));
  return named.map((rule) => stringAt(rule, 'spec', 'forProvider', 'cidrIpv4')).find((cidr) => cidr !== undefined);
}

function portOf({ name, description, port }: ServedPort) {
  return tcp(name, description, port);
}

function tcp(name: string, description: string, fromPort: number, toPort = fromPort) {
  return { name, description, protocol: 'tcp', fromPort, toPort } as const;
}
