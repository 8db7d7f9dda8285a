/** The control plane: a NodePool this step composes, and what its status says about the cluster. */
import type { Override } from '#lib/api/fields/infrastructure.ts';
import type { Json, JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Cluster, ClusterStatus } from '#lib/api/kinds/cluster.ts';
import { NodePoolStatus } from '#lib/api/kinds/node-pool.ts';
import { describeObject } from '#lib/api/names.ts';
import { parseAs } from '#lib/api/parse.ts';
import { API_VERSION, CLUSTER_SETTINGS, clusterLabels, LABEL } from '#lib/api/words.ts';
import { clusterSettings } from '#lib/fn/cluster-settings.ts';
import { z } from 'zod';
import type { ManagedControlPlane, ResolvedCluster } from '#lib/cloud/infrastructure.ts';
import { hasOverride, isMadeWith } from '#lib/cloud/made-with.ts';
import type { CalledSituation, Situation } from './situation.ts';

/** Its composition resource name. */
export const CONTROL_PLANE = 'control-plane';

/** The pool; machines are updated one after another, and a new one is created before the old one is deleted. */
export function controlPlanePool(
  { cluster, composite }: Pick<CalledSituation, 'composite'> & { readonly cluster: Cluster | ResolvedCluster },
  overrides: readonly Override[],
): KubeObject {
  const { name, namespace } = cluster.metadata;
  const { replicas, machine, labels, annotations, taints } = cluster.spec.controlPlane;
  const { zones = [], ...anywhere } = machine;
  const selector = cluster.spec.crossplane?.compositionSelector;
  const spec = {
    clusterRef: { name },
    role: CONTROL_PLANE,
    replicas,
    // The pool reads it from the Cluster; setting it here makes Crossplane call the pool at once.
    version: cluster.spec.version,
    // Of a Cluster from before an empty list was refused: its pool would be.
    machine: zones.length === 0 ? anywhere : machine,
    labels,
    annotations,
    taints,
    infrastructure: { overrides },
    update: { strategy: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, ...cluster.spec.update },
    health: cluster.spec.health,
    paused: cluster.spec.paused,
    ...(selector === undefined ? {} : { crossplane: { compositionSelector: selector } }),
  };
  return {
    apiVersion: API_VERSION,
    kind: 'NodePool',
    metadata: {
      name: `${name}-${CONTROL_PLANE}`,
      namespace,
      labels: { ...clusterLabels(name), [LABEL.role]: CONTROL_PLANE },
      annotations: { [CLUSTER_SETTINGS]: clusterSettings(composite) },
    },
    spec: spec as JsonObject,
  };
}

/** Whether the pool was composed with this override. */
export function poolHas({ observed }: Pick<Situation, 'observed'>, override: Override): boolean {
  return hasOverride(observed.get(CONTROL_PLANE) ?? {}, override);
}

/** Whether its machines are made with this value. */
export function poolHasField(
  { observed }: Pick<Situation, 'observed'>,
  path: readonly string[],
  value: Json | undefined,
): boolean {
  return isMadeWith(observed.get(CONTROL_PLANE) ?? {}, path, value);
}

export type ControlPlaneStatus = NonNullable<ClusterStatus['controlPlane']>;

/** What the pool reports. initialized is never set back: a second machine must never start the cluster again. */
export function controlPlaneStatus({ observed, previous }: Situation): ControlPlaneStatus {
  const pool = observed.get(CONTROL_PLANE);
  const before = previous.controlPlane;
  const now =
    pool === undefined
      ? undefined
      : parseAs(
          z.strictObject({ status: NodePoolStatus }),
          { status: pool.status ?? {} },
          describeObject(pool),
          'InvalidObserved',
        ).status;
  const version = now?.version ?? before?.version;
  return {
    initialized: before?.initialized === true || now?.initialized === true,
    ...(version === undefined ? {} : { version }),
    replicas: now?.replicas ?? 0,
    readyReplicas: now?.readyReplicas ?? 0,
    upToDateReplicas: now?.upToDateReplicas ?? 0,
  };
}

/** The report of a cloud that runs the control plane itself: there are no machines to count. */
export function managedStatus({ previous }: Situation, now: ManagedControlPlane): ControlPlaneStatus {
  const before = previous.controlPlane;
  const version = now.version ?? before?.version;
  return {
    initialized: before?.initialized === true || now.initialized,
    ...(version === undefined ? {} : { version }),
    replicas: 0,
    readyReplicas: 0,
    upToDateReplicas: 0,
  };
}
