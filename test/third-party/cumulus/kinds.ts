/** The kinds of Cumulus, a cloud that does not exist. An Instance and a Network are kinds of other clouds, too. */
import type { Json, JsonObject, KubeObject } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';

export const COMPUTE = 'compute.cumulus.example/v1';

export function managed(kind: string, name: string, namespace: string, cluster: string, forProvider: JsonObject) {
  return {
    apiVersion: COMPUTE,
    kind,
    metadata: { name, namespace, labels: { [LABEL.clusterName]: cluster, [LABEL.cluster]: cluster } },
    spec: { forProvider, providerConfigRef: { kind: 'ClusterProviderConfig', name: 'default' } },
  } satisfies KubeObject;
}

/** What the provider reports. */
export function told(object: KubeObject | undefined, field: string): string | undefined {
  const status = object?.status as { readonly atProvider?: Readonly<Record<string, Json>> } | undefined;
  const value = status?.atProvider?.[field];
  return typeof value === 'string' ? value : undefined;
}
