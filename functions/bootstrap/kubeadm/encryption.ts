/**
 * Encryption of Secrets in etcd. Every API server of a cluster must be able to read what the others write, so whether a
 * cluster encrypts is decided when it is created: a cluster from before it had the key is never changed.
 */
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import type { Request } from '#lib/fn/request.ts';
import { CLUSTER_UID } from '#lib/api/words.ts';
import { yamlDocument } from '#lib/api/yaml.ts';
import type { Part } from '../parts.ts';
import { recordOf, wereMade } from '../records.ts';
import { PKI } from './pki-folder.ts';
import type { KubeadmConfig } from './config.ts';

/** Below the folder that kubeadm mounts into the API server anyway. */
export const ENCRYPTION_FILE = `${PKI}/encryption.yaml`;

const FIELD = 'encryption.yaml';
const KEY_BYTES = 32; // of secretbox

/** The whole EncryptionConfiguration, because rotating a key changes the list of keys step by step. */
export const ENCRYPTION: Part = {
  key: 'encryption',
  suffix: 'encryption',
  make: ({ randomBytes }) => ({ [FIELD]: configuration(Buffer.from(randomBytes(KEY_BYTES)).toString('base64')) }),
  problem: (data) =>
    /^kind: EncryptionConfiguration$/m.test(data[FIELD] ?? '')
      ? undefined
      : `its ${FIELD} is not an EncryptionConfiguration`,
  what: 'encryption configuration',
  texts: true,
  recordedAlways: true,
};

export function encryptionText(data: Readonly<Record<string, string>>): string {
  return data[FIELD] ?? '';
}

/** For the cluster: a new one gets the key, and one that has it keeps it, whatever the claim says later. */
export function encrypts(cluster: Cluster, config: KubeadmConfig, request: Request): boolean {
  const { observed, required } = request;
  if (isEncrypted(cluster) || observed.resources.has(ENCRYPTION.key)) return true;
  if ((required.get(ENCRYPTION.key) ?? []).length > 0) return true;
  return config.encryptSecrets && !wereMade(request, cluster) && !isHandedOver(request);
}

/** Its machines ran before this Cluster existed: Secrets that it is to use have its uid (docs/restore.md). */
function isHandedOver({ required }: Request): boolean {
  return [...required.values()].flat().some(({ metadata }) => metadata?.annotations?.[CLUSTER_UID] !== undefined);
}

/** For its machines. */
export function isEncrypted(cluster: Cluster): boolean {
  return recordOf(cluster, ENCRYPTION) !== undefined;
}

function configuration(secret: string): string {
  return yamlDocument({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [
      {
        resources: ['secrets'],
        // The last one reads what was written before a key, or by a restore from a cluster without one.
        providers: [{ secretbox: { keys: [{ name: 'key1', secret }] } }, { identity: {} }],
      },
    ],
  });
}
