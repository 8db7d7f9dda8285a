/**
 * The files that `k8s bootstrap` and `k8s join-cluster` read: settings of the whole cluster on the machine that starts
 * it, only those of the node on others.
 */
import type { JsonObject } from '#lib/api/json.ts';
import { sortedYaml } from '#lib/api/yaml.ts';
import { taintText } from '../kubelet-flags.ts';
import type { CanonicalKubernetesConfig } from './config.ts';
import { type Authorities, type CanonicalKubernetesFacts, isControlPlane } from './facts.ts';

/** Ports of etcd that are open between control planes. */
const ETCD = { 'etcd-port': 2379, 'etcd-peer-port': 2380 };

/** When k8sd removes a member, its Node is left to provider-node, and its kubelet runs until the machine goes. */
const LIFECYCLE = {
  'k8sd/v1alpha/lifecycle/skip-cleanup-kubernetes-node-on-remove': 'true',
  'k8sd/v1alpha/lifecycle/skip-stop-services-on-remove': 'true',
};

const SERVER_FLAGS = [
  'extra-node-kube-apiserver-args',
  'extra-node-kube-controller-manager-args',
  'extra-node-kube-scheduler-args',
] as const;
const NODE_FLAGS = ['extra-node-kube-proxy-args', 'extra-node-containerd-args'] as const;

export function documentOf(facts: CanonicalKubernetesFacts): string {
  const { config, endpoint, role } = facts;
  const document = {
    ...(role.starts ? clusterOf(facts, role.authorities) : {}),
    ...(isControlPlane(facts)
      ? { 'extra-sans': [...new Set([endpoint.host, ...config['extra-sans']])], ...flagsOf(SERVER_FLAGS, config) }
      : {}),
    ...flagsOf(NODE_FLAGS, config),
    'extra-node-kubelet-args': kubeletFlags(facts),
  };
  // Sorted keys: the same claim with another order of keys gives the same file.
  return sortedYaml(document);
}

function clusterOf({ cluster, config, cloudProvider }: CanonicalKubernetesFacts, authorities: Authorities): object {
  const { pods, services, dnsDomain } = cluster.spec.network;
  const { server, client, frontProxy, serviceAccount } = authorities;
  const features = config['cluster-config'];
  const network = { enabled: true, ...features.network };
  return {
    'cluster-config': {
      ...features,
      // Despite its documentation, k8sd enables almost nothing that the file leaves out, not even the network.
      network,
      gateway: { enabled: network.enabled, ...features.gateway },
      'metrics-server': { enabled: true, ...features['metrics-server'] },
      dns: { enabled: true, ...features.dns, 'cluster-domain': dnsDomain },
      ...(cloudProvider === 'external' ? { 'cloud-provider': 'external' } : {}),
      annotations: LIFECYCLE,
    },
    'pod-cidr': pods,
    'service-cidr': services,
    'secure-port': 6443,
    'datastore-type': 'etcd',
    ...ETCD,
    'ca-crt': server.cert,
    'ca-key': server.key,
    'client-ca-crt': client.cert,
    'client-ca-key': client.key,
    'front-proxy-ca-crt': frontProxy.cert,
    'front-proxy-ca-key': frontProxy.key,
    'service-account-key': serviceAccount.key,
  };
}

function flagsOf(
  fields: readonly (typeof SERVER_FLAGS | typeof NODE_FLAGS)[number][],
  config: CanonicalKubernetesConfig,
): JsonObject {
  const said = fields.filter((field) => Object.keys(config[field]).length > 0);
  return Object.fromEntries(said.map((field) => [field, dashed(config[field])]));
}

function kubeletFlags({ machine, config, cloudProvider, providerID }: CanonicalKubernetesFacts): JsonObject {
  const extraArgs = config['extra-node-kubelet-args'];
  const { taints } = machine.spec;
  return dashed({
    ...(cloudProvider === 'external' ? { 'cloud-provider': 'external' } : {}),
    ...(providerID === undefined ? {} : { 'provider-id': providerID }),
    ...(taints.length === 0 ? {} : { 'register-with-taints': taints.map(taintText).join(',') }),
    ...extraArgs,
  });
}

function dashed(flags: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(flags).map(([name, value]) => [`--${name}`, value]));
}
