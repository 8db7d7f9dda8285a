/** A Cluster with an EKS control plane: no authority and no token is created; the public certificate comes from EKS. */
import { stringAt } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { refusal } from '#lib/api/refusal.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Call } from '../bootstrapper.ts';
import { composeProviderConfig } from '../provider-config.ts';
import { refuseInput } from './facts.ts';

export function clusterScope(call: Call<Cluster>): void {
  const { reply, composite: cluster, input } = call;
  refuseInput(input);
  refusePool(call);
  composeProviderConfig(call, true);
  if (cluster.status?.certificateAuthority !== undefined) {
    reply.condition(CONDITION.certificatesAvailable, true, 'Available');
    return;
  }
  reply
    .notReady()
    .condition(
      CONDITION.certificatesAvailable,
      false,
      'Waiting',
      'waiting for EKS to report its certificate authority',
    );
}

/** Otherwise its machines would be refused one by one; this is one message on the Cluster. */
function refusePool({ request, composite: cluster, owner }: Call<Cluster>): void {
  const pools = [...request.desired.resources.values()].filter(({ resource }) => resource.kind === 'NodePool');
  if (!pools.some(({ resource }) => stringAt(resource, 'spec', 'role') === 'control-plane')) return;
  const { provider } = cluster.spec.bootstrap;
  const accepted = 'a provider that creates control planes, or a Composition with an EKS control plane';
  throw refusal(owner, 'spec.bootstrap.provider', provider, accepted, 'Unsupported');
}
