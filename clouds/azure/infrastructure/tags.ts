/** Tags of every object of a cluster: those of the platform, and whose it is. */
import type { Site } from './site.ts';

export function clusterTags({ id, namespace, cluster, input }: Site): Readonly<Record<string, string>> {
  const { managementCluster } = input;
  return {
    ...input.tags,
    'slipway-cluster': cluster,
    'slipway-cluster-id': id,
    'slipway-namespace': namespace,
    ...(managementCluster === undefined ? {} : { 'slipway-management-cluster': managementCluster }),
  };
}
