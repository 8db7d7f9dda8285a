/** The Secrets of a cluster as objects. */
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { clusterLabels, SECRET_TYPE } from '#lib/api/words.ts';

/** The decoded data of a Secret. */
export type Data = Readonly<Record<string, string>>;

export function secretOf(cluster: Cluster, name: string, data: Data, immutable = true): KubeObject {
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')] as const);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: cluster.metadata.namespace, labels: clusterLabels(cluster.metadata.name) },
    type: SECRET_TYPE,
    ...(immutable ? { immutable: true } : {}),
    data: Object.fromEntries(encoded),
  };
}

/** Decoded data of an observed Secret, whatever its keys. */
export function dataOf(secret: KubeObject): Data {
  const data = secret['data'];
  const keys = typeof data === 'object' && data !== null ? Object.keys(data) : [];
  return Object.fromEntries(
    keys.map((key) => [key, Buffer.from(stringAt(data, key) ?? '', 'base64').toString('utf8')]),
  );
}
