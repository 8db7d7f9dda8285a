/** The input of decisions about a cluster on hosts of somebody else. */
import type { NeutralClusterInput } from '#lib/cloud/cluster-input.ts';
import type { ClusterSituation } from '#lib/cloud/infrastructure.ts';
import type { ExistingInput } from './input.ts';

export type Input = NeutralClusterInput & { readonly existing: ExistingInput };
export type Situation = ClusterSituation<Input>;
