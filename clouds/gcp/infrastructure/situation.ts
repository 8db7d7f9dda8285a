/** The input of GCP decisions about a cluster. */
import type { NeutralClusterInput } from '#lib/cloud/cluster-input.ts';
import type { ClusterSituation } from '#lib/cloud/infrastructure.ts';
import type { GcpInput } from './input.ts';

export type Input = NeutralClusterInput & { readonly gcp: GcpInput };
export type Situation = ClusterSituation<Input>;
