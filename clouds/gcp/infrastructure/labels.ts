/** Labels of every object of a cluster: those of the platform, and whose it is. */
import { labelValue } from '../labels.ts';
import type { Site } from './site.ts';

export function clusterLabels({ id, namespace, cluster, input }: Site): Readonly<Record<string, string>> {
  const { managementCluster } = input;
  return {
    ...input.tags,
    'slipway-cluster': labelValue(cluster),
    'slipway-cluster-id': id,
    'slipway-namespace': labelValue(namespace),
    ...(managementCluster === undefined ? {} : { 'slipway-management-cluster': labelValue(managementCluster) }),
  };
}
