/** The input of AWS decisions about a cluster. */
import type { NeutralClusterInput } from '#lib/cloud/cluster-input.ts';
import type { ClusterSituation } from '#lib/cloud/infrastructure.ts';
import type { AwsInput } from './input.ts';

export type Input = NeutralClusterInput & { readonly aws: AwsInput };
export type Situation = ClusterSituation<Input>;
