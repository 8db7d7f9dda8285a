/** What the Composition tells the cluster step: how neutral words map to the cloud, and a platform's own choices. */
import { CLUSTER_INPUT, type NeutralClusterInput } from '#lib/cloud/cluster-input.ts';
import type { InfrastructureClouds } from '#lib/cloud/infrastructure.ts';
import { inputWithClouds } from '#lib/cloud/registry.ts';
import { CLOUDS } from './clouds.ts';

/** With a section for each of the clouds, which that cloud alone reads. */
export function clusterInput(clouds: InfrastructureClouds) {
  return inputWithClouds(CLUSTER_INPUT, clouds, 'The cloud that the cluster runs on.');
}

export const ClusterInput = clusterInput(CLOUDS);

export type ClusterInput = NeutralClusterInput & { readonly cloud: string };
