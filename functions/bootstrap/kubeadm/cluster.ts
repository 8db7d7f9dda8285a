/** A cluster's side of kubeadm: authorities, token, kubeconfig, and how provider-node reaches the cluster. */
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { CONDITION, LABEL, NODE_API_VERSION } from '#lib/api/words.ts';
import type { Reply } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import type { Call } from '../bootstrapper.ts';
import { type Endpoint, isGood, newKubeconfig } from '../pki/kubeconfig.ts';
import { caCertHash } from '../pki/pem.ts';
import { dataOf, type Kept, keepSecret, secretOf } from '../secrets.ts';
import { asPair, onceMade } from './authorities.ts';
import { readConfig } from './config.ts';

export async function clusterScope(call: Call<Cluster>): Promise<void> {
  const { request, reply, world, composite: cluster, owner } = call;
  const { encryptionAlgorithm } = readConfig(cluster.spec.bootstrap.config, owner);
  const kept = new Map<string, Kept>();
  for (const once of onceMade(cluster.metadata.name, encryptionAlgorithm, world)) {
    const secret = await keepSecret(request, reply, cluster, once);
    if (secret !== undefined) kept.set(once.key, secret);
  }
  reply.compose(
    'node-provider-config',
    providerConfig(cluster),
    request.observed.resources.has('node-provider-config'),
  );
  const ca = kept.get('ca');
  if (kept.size < 5 || ca === undefined) {
    reply
      .notReady()
      .condition(CONDITION.certificatesAvailable, 'Unknown', 'Reading', 'waiting for the Secrets to be read');
    reportStatus(reply, cluster, undefined, request);
    return;
  }
  const stored = [...kept.values()].every((secret) => secret.stored);
  reportStatus(reply, cluster, stored ? caCertHash(asPair(ca.data).cert) : undefined, request);
  if (stored) reply.condition(CONDITION.certificatesAvailable, true, 'Available');
  else
    reply
      .notReady()
      .condition(CONDITION.certificatesAvailable, false, 'Creating', 'certificate authorities are being stored');
  await composeKubeconfig(call, ca);
}

/** Only what is stored is recorded: a Secret that was recorded and is absent is never made again. */
function reportStatus(reply: Reply, cluster: Cluster, hash: string | undefined, { observed }: Request): void {
  const known = hash ?? cluster.status?.certificates?.caCertHash;
  const { name } = cluster.metadata;
  if (known !== undefined) reply.status({ certificates: { caCertHash: known } });
  if (observed.resources.has('kubeconfig') || cluster.status?.kubeconfigSecretRef !== undefined)
    reply.status({ kubeconfigSecretRef: { name: kubeconfigName(name) } });
}

async function composeKubeconfig(
  { request, reply, world, composite: cluster }: Call<Cluster>,
  ca: Kept,
): Promise<void> {
  const endpoint = endpointOf(request);
  const observed = request.observed.resources.get('kubeconfig')?.resource;
  if (endpoint === undefined) {
    if (observed !== undefined)
      reply.compose('kubeconfig', kubeconfigSecret(cluster, dataOf(observed)['value'] ?? ''), true);
    else reply.notReady();
    return;
  }
  const authority = asPair(ca.data);
  const existing = observed === undefined ? undefined : dataOf(observed)['value'];
  const good = existing !== undefined && isGood(existing, world.now, endpoint, authority);
  const value = good ? existing : await newKubeconfig(world, cluster.metadata.name, endpoint, authority);
  reply.compose('kubeconfig', kubeconfigSecret(cluster, value), observed !== undefined);
}

/** Not immutable: its certificate is issued again before it expires. */
function kubeconfigSecret(cluster: Cluster, value: string): KubeObject {
  return secretOf(cluster, kubeconfigName(cluster.metadata.name), { value }, false);
}

export function kubeconfigName(cluster: string): string {
  return `${cluster}-kubeconfig`;
}

/** The step before tells it in this very call, an earlier call in the observed status. */
function endpointOf({ desired, observed }: Request): Endpoint | undefined {
  for (const composite of [desired.composite, observed.composite]) {
    const host = stringAt(composite, 'status', 'controlPlaneEndpoint', 'host');
    const port = at(composite, 'status', 'controlPlaneEndpoint', 'port');
    if (host !== undefined && typeof port === 'number') return { host, port };
  }
  return undefined;
}

function providerConfig({ metadata: { name, namespace } }: Cluster): KubeObject {
  return {
    apiVersion: NODE_API_VERSION,
    kind: 'ProviderConfig',
    metadata: { name, namespace, labels: { [LABEL.clusterName]: name, [LABEL.cluster]: name } },
    spec: { credentials: { secretRef: { name: kubeconfigName(name), key: 'value' } } },
  };
}
