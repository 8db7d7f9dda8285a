/** What every bootstrapper keeps for a cluster: what is made once, the kubeconfig, and how provider-node reaches the cluster. */
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { CONDITION } from '#lib/api/words.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { Call } from './bootstrapper.ts';
import type { Secrets } from './machine-secrets.ts';
import { absenceOf, asPair, certificateOf, isKeyElsewhere, type Part, secretName } from './parts.ts';
import type { Terms } from './pki/issue.ts';
import { caCertHash } from './pki/pem.ts';
import { type Kept, keepSecret } from './secrets.ts';
import { composeKubeconfig, KUBECONFIG, kubeconfigName } from './kubeconfig.ts';
import { composeProviderConfig } from './provider-config.ts';

export interface Keeping {
  readonly parts: readonly Part[];
  /** What authorities are made by. */
  readonly terms: Terms;
  /** The part that signs what the Kubernetes API shows; its hash is recorded on the Cluster. */
  readonly authority: Part;
  /** The part that signs what clients show; the same one on most. */
  readonly clientAuthority: Part;
  /** Where etcd runs; on the control planes when left out. */
  readonly etcd?: 'Local' | 'External';
}

/** What all of it is, once it is stored; undefined before. */
export async function keepCluster(call: Call<Cluster>, keeping: Keeping): Promise<Secrets | undefined> {
  const { parts, authority, clientAuthority } = keeping;
  const { kept, unsupplied, keyless } = await keepParts(call, keeping);
  composeProviderConfig(call);

  const [server, client] = [kept.get(authority.key), kept.get(clientAuthority.key)];
  const read = kept.size === parts.length && server !== undefined && client !== undefined;
  const stored = read && [...kept.values()].every((secret) => secret.stored);
  reportStatus(call, keeping, stored ? server : undefined);
  reportCondition(call, read, stored, { unsupplied, keyless });
  // Nothing can be issued without a key; what was issued is kept.
  if (!stored || isKeyElsewhere(clientAuthority, client.data)) keepKubeconfig(call);
  else await composeKubeconfig(call, { server: asPair(server.data).cert, client: asPair(client.data) });
  return stored ? { of: ({ key }) => kept.get(key)?.data ?? {} } : undefined;
}

/** Names are those of Secrets as messages call them. */
interface Shelf {
  readonly kept: ReadonlyMap<string, Kept>;
  readonly unsupplied: readonly string[];
  readonly keyless: readonly string[];
}

async function keepParts(call: Call<Cluster>, { parts, terms }: Keeping): Promise<Shelf> {
  const { request, reply, world, composite: cluster } = call;
  const kept = new Map<string, Kept>();
  const unsupplied: string[] = [];
  const keyless: string[] = [];
  // Who starts the cluster needs every key; once it runs, keys may be kept elsewhere.
  const initialized = cluster.status?.controlPlane?.initialized === true;
  for (const part of parts) {
    const { key, problem, make: maker } = part;
    const name = secretName(cluster.metadata.name, part);
    const make = maker === undefined ? undefined : () => maker(world, terms);
    const problemOfTheirs = initialized ? certificateOf(part).problem : problem;
    const once = { key, name, make, problem, problemOfTheirs, absence: absenceOf(part) };
    const secret = await keepSecret(request, reply, cluster, once);
    const place = `"${cluster.metadata.namespace}/${name}"`;
    if (secret === 'unsupplied') unsupplied.push(place);
    else if (secret !== 'unread') {
      kept.set(key, secret);
      if (isKeyElsewhere(part, secret.data)) keyless.push(place);
    }
  }
  return { kept, unsupplied, keyless };
}

/** Only what is stored is recorded: a Secret that was recorded and is absent is never made again. */
function reportStatus(call: Call<Cluster>, { authority, etcd }: Keeping, ca: Kept | undefined): void {
  const { reply, composite: cluster, request } = call;
  const known = cluster.status?.certificates?.caCertHash;
  const hash = ca === undefined ? known : caCertHash(asPair(ca.data).cert);
  const { name, namespace } = cluster.metadata;
  if (known !== undefined && hash !== known)
    throw new SlipwayError(
      'UnreadableSecret',
      `cannot use Secret "${namespace}/${secretName(name, authority)}": it is not the authority this cluster was made with; restore that one from a backup`,
    );
  const elsewhere = etcd === 'External' ? { etcd } : {};
  if (hash !== undefined) reply.status({ certificates: { caCertHash: hash, ...elsewhere } });
  if (request.observed.resources.has(KUBECONFIG) || cluster.status?.kubeconfigSecretRef !== undefined)
    reply.status({ kubeconfigSecretRef: { name: kubeconfigName(name) } });
}

function reportCondition(
  { reply }: Call<Cluster>,
  read: boolean,
  stored: boolean,
  { unsupplied, keyless }: Pick<Shelf, 'unsupplied' | 'keyless'>,
): void {
  if (stored && keyless.length > 0) {
    const message = `nothing new is signed without tls.key of Secret ${keyless.join(', ')}: no control plane that carries it joins, and no client certificate is issued again`;
    reply.condition(CONDITION.certificatesAvailable, true, 'KeyElsewhere', message);
    return;
  }
  if (stored) {
    reply.condition(CONDITION.certificatesAvailable, true, 'Available');
    return;
  }
  reply.notReady();
  if (read) reply.condition(CONDITION.certificatesAvailable, false, 'Creating', 'the Secrets are being stored');
  else if (unsupplied.length > 0)
    reply.condition(
      CONDITION.certificatesAvailable,
      false,
      'WaitingForSecret',
      `waiting for what somebody else supplies: Secret ${unsupplied.join(', ')}`,
    );
  else reply.condition(CONDITION.certificatesAvailable, 'Unknown', 'Reading', 'waiting for the Secrets to be read');
}

function keepKubeconfig({ request, reply }: Call<Cluster>): void {
  const observed = request.observed.resources.get(KUBECONFIG);
  if (observed === undefined) reply.notReady();
  else reply.compose(KUBECONFIG, asDesired(observed.resource), true);
}
