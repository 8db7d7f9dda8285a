/** The kinds that provider-node reads and writes: in the management cluster, and in workload clusters. */
import type { Resource } from '#lib/kube/resource.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';

const ours = (kind: string, plural: string, namespaced = true): Resource => ({
  apiVersion: NODE_API_VERSION,
  kind,
  plural,
  namespaced,
});

export const WORKLOAD_NODES = ours('WorkloadNode', 'workloadnodes');
export const PROVIDER_CONFIGS = ours('ProviderConfig', 'providerconfigs');
export const SECRETS: Resource = { apiVersion: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };

export const NAMESPACES: Resource = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
export const NODES: Resource = { apiVersion: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
export const DAEMON_SETS: Resource = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  namespaced: true,
};

export const VOLUME_ATTACHMENTS: Resource = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  namespaced: false,
};
export const PERSISTENT_VOLUMES: Resource = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  namespaced: false,
};

/** Field manager, and source of events. */
export const MANAGER = 'provider-node';

export const USAGES = ours('ProviderConfigUsage', 'providerconfigusages');
export const CLUSTER_PROVIDER_CONFIGS = ours('ClusterProviderConfig', 'clusterproviderconfigs', false);

/** Of owners of hosts, and of the machines that need one. */
export const HOSTS = ours('Host', 'hosts');
export const HOST_CLAIMS = ours('HostClaim', 'hostclaims');
