/**
 * Usages of a Cluster, or of the pool of its control plane: as long as one exists the API server refuses to delete it, and
 * says who is in the way.
 * None of them ever replays a deletion: one that was refused long ago would come true when a machine is replaced.
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
  /** Told where no user is named. */
  readonly reason: string;
  /**
   * Who uses the Cluster; the Usage outlives it. Never the XR that composes the Usage: deleted in the foreground it
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
