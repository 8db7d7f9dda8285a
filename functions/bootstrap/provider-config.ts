/** How provider-node reaches the cluster: with the kubeconfig Secret, for every bootstrapper. */
import type { KubeObject } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { clusterLabels, NODE_API_VERSION } from '#lib/api/words.ts';
import type { Call } from './bootstrapper.ts';
import { kubeconfigName } from './kubeconfig.ts';

/** Composition resource name. */
const PROVIDER_CONFIG = 'node-provider-config';

export function composeProviderConfig({ request, reply, composite: cluster }: Call<Cluster>): void {
  reply.compose(PROVIDER_CONFIG, providerConfig(cluster), request.observed.resources.has(PROVIDER_CONFIG));
}

function providerConfig({ metadata: { name, namespace } }: Cluster): KubeObject {
  return {
    apiVersion: NODE_API_VERSION,
    kind: 'ProviderConfig',
    metadata: { name, namespace, labels: clusterLabels(name) },
    spec: { credentials: { secretRef: { name: kubeconfigName(name), key: 'value' } } },
  };
}
