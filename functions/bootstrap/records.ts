/**
 * The records of Secrets in the status of a Cluster: that a part was created, by whom, and its fingerprint. They
 * distinguish "never created" from "created and lost".
 */
import { at, type KubeObject, own } from '#lib/api/json.ts';
import type { Cluster, SecretRecord } from '#lib/api/kinds/cluster.ts';
import { belongsElsewhere, whyNotClaimed } from '#lib/fn/claimed-secret.ts';
import type { Request } from '#lib/fn/request.ts';
import { type Part, secretName } from './parts.ts';
import type { Data } from './secrets.ts';

/** Made: composed by this step. Supplied: created by users, and only read. */
export type Origin = 'Made' | 'Supplied';

export function recordOf({ status }: Cluster, { key }: Pick<Part, 'key'>): SecretRecord | undefined {
  const { secrets } = status?.certificates ?? {};
  return secrets === undefined ? undefined : own(secrets, key);
}

export function newRecord(part: Part, name: string, data: Data, origin: Origin): SecretRecord {
  if (part.fingerprint === undefined || (part.texts === true && origin === 'Supplied')) return { name, origin };
  return { name, origin, fingerprint: part.fingerprint(data) };
}

/** The recorded fingerprint; releases without records only stored that of the main authority. */
function knownFingerprint(cluster: Cluster, part: Part, authority: Part): string | undefined {
  const recorded = recordOf(cluster, part)?.fingerprint;
  return recorded ?? (part.key === authority.key ? cluster.status?.certificates?.caCertHash : undefined);
}

/** Whether valid data differs from the record. @param authority the part that caCertHash belongs to */
export function isAnother(cluster: Cluster, part: Part, data: Data, authority: Part): boolean {
  const known = knownFingerprint(cluster, part, authority);
  return part.fingerprint !== undefined && known !== undefined && known !== part.fingerprint(data);
}

/**
 * Whether the Secrets of the cluster were created earlier, without a record: according to the status or, if that was
 * lost (perhaps in a restore), because something exists that comes after them: a kubeconfig, or an initialized control
 * plane.
 */
export function wereMade({ observed }: Request, { status }: Cluster): boolean {
  const pool = observed.resources.get('control-plane')?.resource;
  return (
    status?.certificates !== undefined ||
    status?.kubeconfigSecretRef !== undefined ||
    status?.controlPlane?.initialized === true ||
    observed.resources.has('kubeconfig') ||
    at(pool, 'status', 'initialized') === true
  );
}

/** Whether nothing of a cluster exists: a rule that is newer than a cluster must not refuse what it already has. */
export function isNew(request: Request, cluster: Cluster): boolean {
  return request.observed.resources.size === 0 && !wereMade(request, cluster);
}

/**
 * Why a cluster may not use an existing Secret; undefined if it may. One that it already uses needs no label, because
 * earlier releases asked for none. It is not always the same Secret as then, so a label that names another cluster
 * counts.
 */
export function whyNotUsed(cluster: Cluster, part: Part, secret: KubeObject): string | undefined {
  const { name } = cluster.metadata;
  const known = part.name === undefined || recordOf(cluster, part)?.name === secretName(name, part);
  return known ? belongsElsewhere(secret, name) : whyNotClaimed(secret, name, cluster.status);
}

/** @param wereMade whether they were created, without a record */
export function wasMade(cluster: Cluster, part: Part, wereMade: boolean): boolean {
  return recordOf(cluster, part) !== undefined || (wereMade && part.recordedAlways !== true);
}
