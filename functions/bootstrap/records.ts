/**
 * What a Cluster's status records of each part: that it was made, by whom, and what tells it from every other one.
 * "Never made" and "made and lost" are told apart by it.
 */
import { at } from '#lib/api/json.ts';
import type { Cluster, SecretRecord } from '#lib/api/kinds/cluster.ts';
import type { Request } from '#lib/fn/request.ts';
import type { Part } from './parts.ts';
import type { Data } from './secrets.ts';

/** Made: composed by this step. Supplied: by somebody else, and read only. */
export type Origin = 'Made' | 'Supplied';

export function recordOf({ status }: Cluster, { key }: Pick<Part, 'key'>): SecretRecord | undefined {
  const { secrets } = status?.certificates ?? {};
  return secrets !== undefined && Object.hasOwn(secrets, key) ? secrets[key] : undefined;
}

export function newRecord(part: Part, name: string, data: Data, origin: Origin): SecretRecord {
  if (part.fingerprint === undefined || (part.texts === true && origin === 'Supplied')) return { name, origin };
  return { name, origin, fingerprint: part.fingerprint(data) };
}

/** The recorded fingerprint; releases before there were records kept that of the main authority alone. */
function knownFingerprint(cluster: Cluster, part: Part, authority: Part): string | undefined {
  const recorded = recordOf(cluster, part)?.fingerprint;
  return recorded ?? (part.key === authority.key ? cluster.status?.certificates?.caCertHash : undefined);
}

/** Whether data without a problem is another one than was recorded. @param authority  the part caCertHash is of */
export function isAnother(cluster: Cluster, part: Part, data: Data, authority: Part): boolean {
  const known = knownFingerprint(cluster, part, authority);
  return part.fingerprint !== undefined && known !== undefined && known !== part.fingerprint(data);
}

/**
 * Whether the cluster's Secrets were made at some time, as far as that shows without a record: the status says so; where
 * it was lost, in a restore perhaps, so does what could only come after them: a kubeconfig, or a control plane that came up.
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

/** @param wereMade  what shows without a record */
export function wasMade(cluster: Cluster, part: Part, wereMade: boolean): boolean {
  return recordOf(cluster, part) !== undefined || (wereMade && part.recordedAlways !== true);
}
