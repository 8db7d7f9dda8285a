/**
 * Usages of a Cluster, or of the pool of its control plane: while one exists, the API server refuses the deletion and
 * names the user. None of them replays a deletion: a deletion refused long ago would happen when a machine is replaced.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { API_VERSION, clusterLabels, USAGE_API_VERSION } from '#lib/api/words.ts';

export interface ClusterUsage {
  readonly name: string;
  readonly namespace: string;
  readonly cluster: string;
  /** The NodePool that stays. @default the Cluster */
  readonly pool?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** The reason, shown if no user is named. */
  readonly reason: string;
  /**
   * The user of the Cluster; the Usage outlives it. Never the XR that composes the Usage: deleted in the foreground, it
   * would wait for the Usage, and the Usage for it.
   */
  readonly by?: { readonly apiVersion: string; readonly kind: string; readonly name: string };
}

export function clusterUsage({ name, namespace, cluster, pool, labels, reason, by }: ClusterUsage): KubeObject {
  const [kind, used] = pool === undefined ? ['Cluster', cluster] : ['NodePool', pool];
  return {
    apiVersion: USAGE_API_VERSION,
    kind: 'Usage',
    metadata: { name, namespace, labels: { ...clusterLabels(cluster), ...labels } },
    spec: {
      of: { apiVersion: API_VERSION, kind, resourceRef: { name: used } },
      ...(by === undefined ? {} : { by: { apiVersion: by.apiVersion, kind: by.kind, resourceRef: { name: by.name } } }),
      reason,
    },
  };
}
