/**
 * What every bootstrapper keeps for a cluster: secrets that are created once, the kubeconfig, and the ProviderConfig
 * for provider-node.
 */
import type { Cluster, SecretRecord } from '#lib/api/kinds/cluster.ts';
import { referencesIn } from '#lib/api/fields/value-from.ts';
import { type JsonObject, stringAt } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { Call } from './bootstrapper.ts';
import { findPart, type Place } from './find.ts';
import { composeKubeconfigs, KUBECONFIG, keepKubeconfigs, kubeconfigName } from './kubeconfig.ts';
import { refuseLost } from './lost.ts';
import type { Secrets } from './machine-secrets.ts';
import { asPair, isKeyElsewhere, type Part, secretName } from './parts.ts';
import type { Terms } from './pki/issue.ts';
import { caCertHash } from './pki/pem.ts';
import { composeProviderConfig } from './provider-config.ts';
import { isNew, newRecord, recordOf } from './records.ts';
import { reportCondition, reportOrigins } from './report.ts';
import { type Data, secretOf } from './secrets.ts';

export interface SecretSet {
  readonly parts: readonly Part[];
  /** Key algorithm and validity of the authorities. */
  readonly terms: Terms;
  /** The part that signs the certificate of the Kubernetes API; its hash is recorded on the Cluster. */
  readonly authority: Part;
  /** The part that signs client certificates; usually the same. */
  readonly clientAuthority: Part;
  /** Where etcd runs; default: on the control planes. */
  readonly etcd?: 'Local' | 'External';
}

/** The data of all Secrets, once it is stored; undefined before. */
export async function keepCluster(call: Call<Cluster>, keeping: SecretSet): Promise<Secrets | undefined> {
  const { parts, authority, clientAuthority } = keeping;
  if (isNew(call.request, call.composite)) refuseOwnSecrets(call, parts);
  const places = parts.map((part): Place => ({ part, found: findPart(call, part, authority) }));
  if (refuseLost(call, places)) {
    composeProviderConfig(call);
    keepKubeconfigs(call);
    reportStatus(call, call.composite.status?.certificates);
    return undefined;
  }
  const made = await makeAbsent(call, keeping, places);
  composeProviderConfig(call);

  const kept = new Map(places.flatMap(({ part, found }) => (found.state === 'stored' ? [[part.key, found.data]] : [])));
  const [server, client] = [kept.get(authority.key), kept.get(clientAuthority.key)];
  const stored = kept.size === parts.length && server !== undefined && client !== undefined;
  reportStatus(call, stored ? recorded(call, keeping, places, server) : call.composite.status?.certificates);
  reportOrigins(call, places);
  reportCondition(call, places, { stored, read: kept.size + made === parts.length });
  // Nothing can be issued without a key; issued certificates are kept.
  if (!stored || isKeyElsewhere(clientAuthority, client)) keepKubeconfigs(call);
  else await composeKubeconfigs(call, { server: asPair(server).cert, client: asPair(client) });
  return stored ? { of: ({ key }) => kept.get(key) ?? {} } : undefined;
}

/** No claim copies them: whoever means another Secret of this name learns it before there is one. */
function refuseOwnSecrets({ composite, owner }: Call<Cluster>, parts: readonly Part[]): void {
  const { name: cluster } = composite.metadata;
  const own = new Set([...parts.map((part) => secretName(cluster, part)), kubeconfigName(cluster)]);
  const { provisioning, addons } = composite.spec;
  for (const { field, from } of referencesIn({ provisioning, addons })) {
    // A chart may take values from a ConfigMap instead.
    const name = stringAt(from, 'secret', 'name');
    if (name !== undefined && own.has(name))
      throw refusal(
        owner,
        `spec.${field}.secret.name`,
        name,
        `another name, since Secret "${name}" has keys of the cluster itself`,
      );
  }
}

/** Creates Secrets that were never created and that Slipway creates; returns their number. */
async function makeAbsent(
  { reply, world, composite: cluster }: Call<Cluster>,
  { terms }: SecretSet,
  places: readonly Place[],
): Promise<number> {
  let made = 0;
  for (const { part, found } of places) {
    if (found.state !== 'absent' || part.make === undefined) continue;
    const data = await part.make(world, terms);
    reply.compose(part.key, secretOf(cluster, secretName(cluster.metadata.name, part), data), false);
    made += 1;
  }
  return made;
}

type Certificates = NonNullable<NonNullable<Cluster['status']>['certificates']>;

/** Only once all of it is stored. Records of a later release are kept. */
function recorded(
  { composite: cluster }: Call<Cluster>,
  { etcd }: SecretSet,
  places: readonly Place[],
  server: Data,
): Certificates {
  const known = cluster.status?.certificates;
  const secrets: Record<string, SecretRecord> = { ...known?.secrets };
  for (const { part, found } of places) {
    if (found.state !== 'stored') continue;
    const name = secretName(cluster.metadata.name, part);
    secrets[part.key] = { ...recordOf(cluster, part), ...newRecord(part, name, found.data, found.origin) };
  }
  const elsewhere = etcd === 'External' ? { etcd } : {};
  const { provider } = cluster.spec.bootstrap;
  return { ...known, caCertHash: caCertHash(asPair(server).cert), ...elsewhere, provider, secrets };
}

function reportStatus({ reply, request, composite }: Call<Cluster>, certificates: Certificates | undefined): void {
  if (certificates !== undefined) reply.status({ certificates } as JsonObject);
  if (request.observed.resources.has(KUBECONFIG) || composite.status?.kubeconfigSecretRef !== undefined)
    reply.status({ kubeconfigSecretRef: { name: kubeconfigName(composite.metadata.name) } });
}
