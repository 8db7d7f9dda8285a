/** The kinds of Cumulus, a made-up cloud. Other clouds have an Instance and a Network, too. */
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
export function reported(object: KubeObject | undefined, field: string): string | undefined {
  const status = object?.status as { readonly atProvider?: Readonly<Record<string, Json>> } | undefined;
  const value = status?.atProvider?.[field];
  return typeof value === 'string' ? value : undefined;
}
