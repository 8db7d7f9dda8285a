/** A cluster's side of kubeadm: authorities, token, kubeconfig, and how provider-node reaches the cluster. */
import type { KubeObject } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { CONDITION, LABEL, NODE_API_VERSION } from '#lib/api/words.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { Call } from '../bootstrapper.ts';
import { caCertHash } from '../pki/pem.ts';
import { type Kept, keepSecret } from '../secrets.ts';
import { asPair, onceMade, secretName } from './authorities.ts';
import { readConfig } from './config.ts';
import { composeKubeconfig, KUBECONFIG, kubeconfigName } from './kubeconfig.ts';

/** Composition resource name of what tells provider-node how to reach the cluster. */
const PROVIDER_CONFIG = 'node-provider-config';

export async function clusterScope(call: Call<Cluster>): Promise<void> {
  const { request, reply, world, composite: cluster, owner } = call;
  const { encryptionAlgorithm } = readConfig(cluster.spec.bootstrap.config, owner);
  const wanted = onceMade(cluster.metadata.name, encryptionAlgorithm, world);
  const kept = new Map<string, Kept>();
  for (const once of wanted) {
    const secret = await keepSecret(request, reply, cluster, once);
    if (secret !== undefined) kept.set(once.key, secret);
  }
  reply.compose(PROVIDER_CONFIG, providerConfig(cluster), request.observed.resources.has(PROVIDER_CONFIG));

  const ca = kept.get('ca');
  const read = kept.size === wanted.length && ca !== undefined;
  const stored = read && [...kept.values()].every((secret) => secret.stored);
  reportStatus(call, stored ? ca : undefined);
  reportCondition(call, read, stored);
  if (stored) await composeKubeconfig(call, asPair(ca.data));
  else keepKubeconfig(call);
}

/** Only what is stored is recorded: a Secret that was recorded and is absent is never made again. */
function reportStatus({ reply, composite: cluster, request }: Call<Cluster>, ca: Kept | undefined): void {
  const known = cluster.status?.certificates?.caCertHash;
  const hash = ca === undefined ? known : caCertHash(asPair(ca.data).cert);
  const { name, namespace } = cluster.metadata;
  if (known !== undefined && hash !== known)
    throw new SlipwayError(
      'UnreadableSecret',
      `cannot use Secret "${namespace}/${secretName(name, 'ca')}": it is not the authority this cluster was made with; restore that one from a backup`,
    );
  if (hash !== undefined) reply.status({ certificates: { caCertHash: hash } });
  if (request.observed.resources.has(KUBECONFIG) || cluster.status?.kubeconfigSecretRef !== undefined)
    reply.status({ kubeconfigSecretRef: { name: kubeconfigName(name) } });
}

function reportCondition({ reply }: Call<Cluster>, read: boolean, stored: boolean): void {
  if (stored) {
    reply.condition(CONDITION.certificatesAvailable, true, 'Available');
    return;
  }
  reply.notReady();
  if (read) reply.condition(CONDITION.certificatesAvailable, false, 'Creating', 'the Secrets are being stored');
  else reply.condition(CONDITION.certificatesAvailable, 'Unknown', 'Reading', 'waiting for the Secrets to be read');
}

function keepKubeconfig({ request, reply }: Call<Cluster>): void {
  const observed = request.observed.resources.get(KUBECONFIG);
  if (observed !== undefined) reply.compose(KUBECONFIG, asDesired(observed.resource), true);
}

function providerConfig({ metadata: { name, namespace } }: Cluster): KubeObject {
  return {
    apiVersion: NODE_API_VERSION,
    kind: 'ProviderConfig',
    metadata: { name, namespace, labels: { [LABEL.clusterName]: name, [LABEL.cluster]: name } },
    spec: { credentials: { secretRef: { name: kubeconfigName(name), key: 'value' } } },
  };
}
