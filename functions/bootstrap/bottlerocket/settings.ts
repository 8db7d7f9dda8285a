/** Settings of one Bottlerocket machine: the cluster it joins, its labels and taints, and the settings of its claim. */
import type { JsonObject } from '#lib/api/json.ts';
import { clusterDNS, type EksFacts, OWN_DOMAIN } from '../eks/facts.ts';
import { kubeletLabels } from '../kubelet-labels.ts';
import type { BottlerocketConfig } from './config.ts';

export function settingsOf(facts: EksFacts<BottlerocketConfig>): JsonObject {
  const { cluster, config, endpoint, certificateAuthority } = facts;
  const { kubernetes, ...groups } = config;
  const { dnsDomain } = cluster.spec.network;
  return JSON.parse(
    JSON.stringify({
      kubernetes: {
        'api-server': endpoint,
        'cluster-certificate': certificateAuthority,
        'cluster-name': cluster.metadata.name,
        'cluster-dns-ip': clusterDNS(cluster),
        ...(dnsDomain === OWN_DOMAIN ? {} : { 'cluster-domain': dnsDomain }),
        ...kubernetes,
        ...marksOf(facts),
      },
      ...groups,
    }),
  ) as JsonObject;
}

function marksOf({ machine, owner }: EksFacts<BottlerocketConfig>): JsonObject {
  const labels = kubeletLabels(machine, owner).map((pair) => {
    const split = pair.indexOf('=');
    return [pair.slice(0, split), pair.slice(split + 1)] as const;
  });
  const taints = new Map<string, readonly string[]>();
  for (const { key, value = '', effect } of machine.spec.taints)
    taints.set(key, [...(taints.get(key) ?? []), `${value}:${effect}`]);
  return {
    ...(labels.length === 0 ? {} : { 'node-labels': Object.fromEntries(labels) }),
    ...(taints.size === 0 ? {} : { 'node-taints': Object.fromEntries(taints) }),
  };
}
