/** What leads to a workload cluster: ProviderConfig, Secret, kubeconfig; each may be missing or wrong. */
import { parse } from 'yaml';
import { type Json, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { rememberedByHash } from '#lib/api/remembered.ts';
import { configRefOf } from './config.ts';
import { isDeleting } from './leaving.ts';
import type { Obstacle } from './situation.ts';

export interface SecretKey {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
}

export interface Kubeconfig {
  /** The text it was read from. */
  readonly text: string;
  /** URL of the Kubernetes API. */
  readonly server: string;
  /** PEM of the authority its certificate is signed by; undefined: the kubeconfig names none. */
  readonly ca: string | undefined;
}

/**
 * Where the kubeconfig of a WorkloadNode is.
 * @param config  what it refers to (`configRefOf`), also while that is being deleted; undefined: there is none
 */
export function secretOf(object: KubeObject, config: KubeObject | undefined): SecretKey | Obstacle {
  const { kind, namespace, name } = configRefOf(object);
  const fullName = namespace === undefined ? name : `${namespace}/${name}`;
  if (config === undefined) return { cause: `connect failed: ${kind} "${fullName}" not found`, isMissing: true };
  return {
    namespace: namespace ?? stringAt(config, 'spec', 'credentials', 'secretRef', 'namespace') ?? '',
    name: stringAt(config, 'spec', 'credentials', 'secretRef', 'name') ?? '',
    key: stringAt(config, 'spec', 'credentials', 'secretRef', 'key') ?? 'value',
  };
}

/** @param secret  undefined: there is none */
export function kubeconfigOf(
  { namespace, name, key }: SecretKey,
  secret: KubeObject | undefined,
): Kubeconfig | Obstacle {
  const owner = `Secret "${namespace}/${name}"`;
  if (secret === undefined || isDeleting(secret))
    return { cause: `connect failed: ${owner} not found`, isMissing: true };
  const data = stringAt(secret, 'data', key);
  if (data === undefined) return { cause: `connect failed: ${owner} has no key "${key}"`, isMissing: false };
  const text = decoded(data);
  const { server, ca } = clusterIn(text);
  if (server === undefined) return { cause: `connect failed: ${owner} holds no kubeconfig`, isMissing: false };
  return { text, server, ca };
}

/** A provider looks at the same kubeconfig for every node of a cluster. */
const clusterIn = rememberedByHash((kubeconfig: string): Partial<Pick<Kubeconfig, 'server' | 'ca'>> => {
  const first = firstCluster(kubeconfig);
  const server = stringAt(first, 'server');
  const ca = stringAt(first, 'certificate-authority-data');
  return { ...(server === undefined ? {} : { server }), ca: ca === undefined ? undefined : decoded(ca) };
}, 500);

function firstCluster(kubeconfig: string): Json | undefined {
  let document: unknown;
  try {
    document = parse(kubeconfig, { logLevel: 'error' });
  } catch {
    return undefined;
  }
  const list = at(document, 'clusters');
  const [first] = Array.isArray(list) ? (list as readonly Json[]) : [];
  return isJsonObject(first) ? first['cluster'] : undefined;
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
