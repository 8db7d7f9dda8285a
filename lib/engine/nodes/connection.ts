/** How provider-node reaches a workload cluster: ProviderConfig, Secret, kubeconfig; each may be missing or wrong. */
import { parse } from 'yaml';
import { type Json, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import { isDeleting, metaOf } from '../store/object.ts';
import { SECRET } from '../store/builtins.ts';
import type { Store } from '../store/store.ts';
import { BootFailure } from './first-boot/boot-failure.ts';
import { certificateHash } from './joining/certificate-hash.ts';
import type { WorkloadCluster } from './workload-cluster.ts';

export type Connection =
  | { readonly cluster: WorkloadCluster }
  | {
      readonly cause: string;
      /** True when the cluster's own objects are gone or going: nobody needs its nodes drained. */
      readonly over: boolean;
    };

export function connect(store: Store, clusters: ReadonlyMap<string, WorkloadCluster>, node: KubeObject): Connection {
  const { namespace = '' } = metaOf(node);
  const name = stringAt(node, 'spec', 'providerConfigRef', 'name') ?? '';
  const config = store.find({ apiVersion: NODE_API_VERSION, kind: 'ProviderConfig', namespace, name });
  if (config === undefined || isDeleting(config))
    return { cause: `connect failed: ProviderConfig "${namespace}/${name}" not found`, over: true };
  const secretName = stringAt(config, 'spec', 'credentials', 'secretRef', 'name') ?? '';
  const key = stringAt(config, 'spec', 'credentials', 'secretRef', 'key') ?? 'value';
  const secret = store.find({ ...SECRET, namespace, name: secretName });
  if (secret === undefined || isDeleting(secret))
    return { cause: `connect failed: Secret "${namespace}/${secretName}" not found`, over: true };
  const text = stringAt(secret, 'data', key);
  if (text === undefined)
    return { cause: `connect failed: Secret "${namespace}/${secretName}" has no key "${key}"`, over: false };
  return reach(clusters, Buffer.from(text, 'base64').toString('utf8'), `Secret "${namespace}/${secretName}"`);
}

function reach(clusters: ReadonlyMap<string, WorkloadCluster>, kubeconfig: string, owner: string): Connection {
  const first = firstCluster(kubeconfig);
  const server = stringAt(first, 'server');
  if (server === undefined) return { cause: `connect failed: ${owner} holds no kubeconfig`, over: false };
  const address = server.replace(/^https:\/\//, '').replace(/\/$/, '');
  const cluster = clusters.get(/:[0-9]+$/.test(address) ? address : `${address}:443`);
  if (cluster === undefined || !cluster.answers)
    return { cause: `observe failed: cannot reach ${server}: connection refused`, over: false };
  const ca = stringAt(first, 'certificate-authority-data');
  if (ca === undefined || hashOf(ca) !== cluster.caHash)
    return { cause: `observe failed: cannot reach ${server}: certificate signed by unknown authority`, over: false };
  return { cluster };
}

function firstCluster(kubeconfig: string): Json | undefined {
  let document: unknown;
  try {
    document = parse(kubeconfig);
  } catch {
    return undefined;
  }
  const list = at(document, 'clusters');
  const [first] = Array.isArray(list) ? (list as readonly Json[]) : [];
  return isJsonObject(first) ? first['cluster'] : undefined;
}

function hashOf(base64: string): string | undefined {
  try {
    return certificateHash(Buffer.from(base64, 'base64').toString('utf8'));
  } catch (thrown) {
    if (thrown instanceof BootFailure) return undefined;
    throw thrown;
  }
}
