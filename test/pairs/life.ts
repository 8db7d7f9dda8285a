/** A life of a cluster: how it begins, and rounds of edits, each of which comes to rest. Plain data, printed as JSON. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { edited } from '../plan/case.ts';
import { ENVIRONMENT, NAMESPACE, SELECTOR } from './platform.ts';

export interface Life {
  readonly seed: number;
  readonly cluster: JsonObject;
  readonly pool: JsonObject;
  /** Seconds after which the first round begins though the cluster is not complete; absent: at rest. */
  readonly early?: number;
  readonly rounds: readonly Round[];
}

/** What people do until nothing changes any more. */
export type Round = readonly Act[];

/** One moment: everything in it is applied at once. Whole fields of specs; null removes one. */
export interface Act {
  /** Seconds after the act before. */
  readonly after: number;
  readonly cluster?: JsonObject;
  /** Creates the pool again if it was deleted. */
  readonly pool?: JsonObject;
  /** Parts of the EnvironmentConfig, which replace its own. */
  readonly platform?: JsonObject;
  /** Limits of the Compositions, which replace their own. */
  readonly limits?: JsonObject;
  readonly deletes?: 'pool' | 'worker' | 'control-plane machine';
}

/** What people have written so far. */
export interface Claims {
  readonly cluster: JsonObject;
  readonly pool: JsonObject;
  readonly platform: JsonObject;
  readonly limits: JsonObject;
}

export const CLUSTER = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Cluster', namespace: NAMESPACE, name: 'prod' };
export const POOL = { ...CLUSTER, kind: 'NodePool', name: 'general' };
export const CONTROL_PLANE = { ...POOL, name: 'prod-control-plane' };

export function claimsOf({ cluster, pool }: Life): Claims {
  return { cluster: edited(LEAST.cluster, cluster), pool: edited(LEAST.pool, pool), platform: ENVIRONMENT, limits: {} };
}

const LEAST = {
  cluster: {
    crossplane: SELECTOR,
    version: 'v1.36.4',
    region: 'eu-west',
    controlPlane: { replicas: 1, machine: { class: 'standard-2' } },
  },
  pool: {
    crossplane: SELECTOR,
    clusterRef: { name: CLUSTER.name },
    replicas: 2,
    machine: { class: 'standard-4' },
  },
};

export function claimsAfter(claims: Claims, { cluster, pool, platform, limits }: Act): Claims {
  return {
    cluster: edited(claims.cluster, cluster),
    pool: edited(claims.pool, pool),
    platform: { ...claims.platform, ...platform },
    limits: { ...claims.limits, ...limits },
  };
}

export function written({ apiVersion, kind, namespace, name }: typeof CLUSTER, spec: JsonObject): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace }, spec };
}
