/** NodeConfig of one machine: the cluster it joins, its labels and taints, and the settings of its claim. */
import type { JsonObject } from '#lib/api/json.ts';
import { type EksFacts, OWN_DOMAIN } from '../eks/facts.ts';
import { kubeletLabels } from '../kubelet-labels.ts';
import type { NodeadmConfig } from './config.ts';

export type NodeadmFacts = EksFacts<NodeadmConfig>;

export function nodeConfig(facts: NodeadmFacts): JsonObject {
  const { cluster, config, endpoint, certificateAuthority } = facts;
  const { containerd, instance, featureGates } = config;
  const kubelet = kubeletOf(facts);
  return {
    apiVersion: 'node.eks.aws/v1alpha1',
    kind: 'NodeConfig',
    spec: {
      cluster: {
        name: cluster.metadata.name,
        apiServerEndpoint: endpoint,
        certificateAuthority,
        cidr: cluster.spec.network.services,
      },
      ...(Object.keys(kubelet).length === 0 ? {} : { kubelet }),
      ...said({ containerd, instance, featureGates }),
    },
  };
}

function kubeletOf(facts: NodeadmFacts): JsonObject {
  const { machine, owner, cluster, config } = facts;
  const { dnsDomain } = cluster.spec.network;
  const labels = kubeletLabels(machine, owner);
  const taints = machine.spec.taints.map(({ key, value, effect }) => ({ key, ...said({ value }), effect }));
  const fields = {
    ...config.kubelet.config,
    ...(dnsDomain === OWN_DOMAIN ? {} : { clusterDomain: dnsDomain }),
    ...(taints.length === 0 ? {} : { registerWithTaints: taints }),
  };
  const flags = [...(labels.length === 0 ? [] : [`--node-labels=${labels.join(',')}`]), ...config.kubelet.flags];
  return {
    ...(Object.keys(fields).length === 0 ? {} : { config: fields }),
    ...(flags.length === 0 ? {} : { flags }),
    ...said({ maxPodsExpression: config.kubelet.maxPodsExpression }),
  };
}

/** Without undefined fields. */
function said(fields: Readonly<Record<string, unknown>>): JsonObject {
  return JSON.parse(JSON.stringify(fields)) as JsonObject;
}
