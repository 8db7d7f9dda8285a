/** Input of the cluster step: how neutral names map to the cloud, and settings of the platform. */
import { CLUSTER_INPUT, type NeutralClusterInput } from '#lib/cloud/cluster-input.ts';
import type { InfrastructureClouds } from '#lib/cloud/infrastructure.ts';
import { inputWithClouds } from '#lib/cloud/registry.ts';
import { CLOUDS } from './clouds.ts';

/** With a section for each cloud, which only that cloud reads. */
export function clusterInput(clouds: InfrastructureClouds) {
  return inputWithClouds(CLUSTER_INPUT, clouds, 'The cloud that the cluster runs on.');
}

export const ClusterInput = clusterInput(CLOUDS);

export type ClusterInput = NeutralClusterInput & { readonly cloud: string };
