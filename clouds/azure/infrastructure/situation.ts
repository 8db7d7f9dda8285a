/** The input of Azure decisions about a cluster. */
import type { NeutralClusterInput } from '#lib/cloud/cluster-input.ts';
import type { ClusterSituation } from '#lib/cloud/infrastructure.ts';
import type { AzureInput } from './input.ts';

export type Input = NeutralClusterInput & { readonly azure: AzureInput };
export type Situation = ClusterSituation<Input>;
