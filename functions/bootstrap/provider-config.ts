/** How provider-node reaches the cluster: with a kubeconfig in a Secret, for every bootstrapper. */
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { clusterLabels, NODE_API_VERSION } from '#lib/api/words.ts';
import type { Call } from './bootstrapper.ts';
import { kubeconfigName, providerNodeKubeconfigName } from './kubeconfig.ts';

/** Composition resource name. */
const PROVIDER_CONFIG = 'node-provider-config';

/** @param isManaged  its kubeconfig comes from the cloud, and Slipway can issue no other */
export function composeProviderConfig(call: Call<Cluster>, isManaged = false): void {
  const { request, reply, composite: cluster } = call;
  const observed = request.observed.resources.get(PROVIDER_CONFIG)?.resource;
  const inUse = stringAt(observed, 'spec', 'credentials', 'secretRef', 'name');
  const secret = isManaged ? kubeconfigName(cluster.metadata.name) : providerNodeKubeconfigName(call, inUse);
  reply.compose(PROVIDER_CONFIG, providerConfig(cluster, secret), observed !== undefined);
}

function providerConfig({ metadata: { name, namespace } }: Cluster, secret: string): KubeObject {
  return {
    apiVersion: NODE_API_VERSION,
    kind: 'ProviderConfig',
    metadata: { name, namespace, labels: clusterLabels(name) },
    spec: { credentials: { secretRef: { name: secret, key: 'value' } } },
  };
}
