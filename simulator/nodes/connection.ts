/** How the simulated provider reaches a workload cluster: by the data of its kubeconfig, if that is correct. */
import type { KubeObject } from '#lib/api/json.ts';
import { configRefOf } from '#lib/node/config.ts';
import { type Kubeconfig, kubeconfigOf, type SecretKey, secretOf } from '#lib/node/connection.ts';
import type { Obstacle } from '#lib/node/situation.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import { SECRET } from '../store/builtins.ts';
import type { Store } from '../store/store.ts';
import { BootFailure } from './first-boot/boot-failure.ts';
import { certificateHash } from './joining/certificate-hash.ts';
import type { WorkloadCluster } from './workload-cluster.ts';

export type Connection = { readonly cluster: WorkloadCluster } | Obstacle;
/** By `host:port` of the Kubernetes API. */
export type Clusters = ReadonlyMap<string, WorkloadCluster>;

/** The ProviderConfig of a WorkloadNode; undefined: there is none. */
export function configOf(store: Store, object: KubeObject): KubeObject | undefined {
  const { kind, namespace, name } = configRefOf(object);
  return store.find({ apiVersion: NODE_API_VERSION, kind, name, ...(namespace === undefined ? {} : { namespace }) });
}

export function connect(store: Store, clusters: Clusters, object: KubeObject): Connection {
  const key = secretOf(object, configOf(store, object));
  return 'cause' in key ? key : connectBy(store, clusters, key);
}

/** By a kubeconfig under a key of a Secret. */
export function connectBy(store: Store, clusters: Clusters, key: SecretKey): Connection {
  const kubeconfig = kubeconfigOf(key, store.find({ ...SECRET, namespace: key.namespace, name: key.name }));
  return 'cause' in kubeconfig ? kubeconfig : reach(clusters, kubeconfig);
}

function reach(clusters: Clusters, { server, ca }: Kubeconfig): Connection {
  const address = server.replace(/^https:\/\//, '').replace(/\/$/, '');
  const cluster = clusters.get(/:[0-9]+$/.test(address) ? address : `${address}:443`);
  const failed = (why: string): Obstacle => ({
    cause: `observe failed: cannot reach ${server}: ${why}`,
    isMissing: false,
  });
  if (cluster === undefined || !cluster.answers) return failed('connection refused');
  if (ca === undefined || hashOf(ca) !== cluster.caHash) return failed('certificate signed by unknown authority');
  return { cluster };
}

function hashOf(pem: string): string | undefined {
  try {
    return certificateHash(pem);
  } catch (thrown) {
    if (thrown instanceof BootFailure) return undefined;
    throw thrown;
  }
}
