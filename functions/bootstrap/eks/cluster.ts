/** A Cluster with an EKS control plane: no authority and no token is created; the public certificate comes from EKS. */
import { stringAt } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { refusal } from '#lib/api/refusal.ts';
import { CONDITION } from '#lib/api/words.ts';
import type { Call } from '../bootstrapper.ts';
import { composeProviderConfig } from '../provider-config.ts';
import { controlPlaneProviders } from '../traits.ts';
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

/** As function-cluster refuses a new Cluster: here, for one that exists and for an older function-cluster. */
function refusePool({ request, composite: cluster, owner }: Call<Cluster>): void {
  const pools = [...request.desired.resources.values()].filter(({ resource }) => resource.kind === 'NodePool');
  if (!pools.some(({ resource }) => stringAt(resource, 'spec', 'role') === 'control-plane')) return;
  const { provider } = cluster.spec.bootstrap;
  throw refusal(owner, 'spec.bootstrap.provider', provider, controlPlaneProviders(), 'Unsupported');
}
