/** A Cluster whose control plane EKS runs: no authority and no token is made; the public one is waited for. */
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Call } from '../bootstrapper.ts';
import { composeProviderConfig } from '../provider-config.ts';
import { refuseInput } from './facts.ts';

export function clusterScope(call: Call<Cluster>): void {
  const { reply, composite: cluster, input } = call;
  refuseInput(input);
  composeProviderConfig(call);
  if (cluster.status?.certificateAuthority !== undefined) {
    reply.condition(CONDITION.certificatesAvailable, true, 'Available');
    return;
  }
  reply
    .notReady()
    .condition(CONDITION.certificatesAvailable, false, 'Waiting', 'waiting for EKS to tell its certificate authority');
}
