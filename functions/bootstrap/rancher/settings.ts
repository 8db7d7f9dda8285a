/** config.yaml of one machine: settings of the claim, of the cluster and of the machine. */
import { yamlText } from '#lib/api/yaml.ts';
import { kubeletLabels } from '../kubelet-labels.ts';
import type { MachineFacts } from '../machine-facts.ts';
import type { Config } from './config.ts';
import type { Distribution, Settings } from './distribution.ts';

export interface RancherFacts extends MachineFacts {
  readonly distribution: Distribution;
  readonly config: Config;
  readonly tokens: Tokens;
}

export interface Tokens {
  /** The token that it joins with; on the machine that starts the cluster, the token that others join with. */
  readonly token: string;
  /** The token of agents; only servers have it. */
  readonly agentToken: string | undefined;
}

/** Keys in alphabetical order. Both read YAML 1.1, where a bare "on" is not a string. */
export function settingsText(facts: RancherFacts): string {
  const sorted = Object.entries(settingsOf(facts))
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return yamlText(Object.fromEntries(sorted));
}

function settingsOf(facts: RancherFacts): Settings {
  const { distribution, machine, config, cloudProvider, tokens } = facts;
  const { role, bootstrap } = machine.spec;
  const { keys } = distribution;
  const known = role === 'control-plane' ? [...keys.cluster, ...keys.server, ...keys.node] : keys.node;
  const claimed = Object.fromEntries(Object.entries(config).filter(([key]) => known.includes(key)));
  const own: Settings = {
    ...claimed,
    ...(role === 'control-plane' ? serverSettings(facts) : {}),
    ...(bootstrap.action === 'Init' ? distribution.start : { server: serverOf(facts) }),
    token: tokens.token,
    ...nodeSettings(facts),
  };
  return cloudProvider === 'external' ? { ...own, ...distribution.external(role, own) } : own;
}

function serverSettings({ cluster, config, endpoint, tokens }: RancherFacts): Settings {
  const { pods, services, dnsDomain } = cluster.spec.network;
  return {
    'agent-token': tokens.agentToken,
    'cluster-cidr': pods,
    'service-cidr': services,
    'cluster-domain': dnsDomain,
    'tls-san': [...new Set([endpoint.host, ...(config['tls-san'] ?? [])])],
  };
}

function nodeSettings({ machine, owner, config, providerID }: RancherFacts): Settings {
  const flags = config['kubelet-arg'] ?? [];
  return {
    'node-name': machine.metadata.name,
    'node-label': kubeletLabels(machine, owner),
    'node-taint': machine.spec.taints.map(({ key, value = '', effect }) => `${key}=${value}:${effect}`),
    'kubelet-arg': [...(providerID === undefined ? [] : [`provider-id=${providerID}`]), ...flags],
  };
}

function serverOf({ distribution, endpoint: { host, port } }: RancherFacts): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${distribution.joinPort(port)}`;
}
