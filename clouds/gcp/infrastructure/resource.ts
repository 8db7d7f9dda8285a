/** A managed resource of GCP: identity, credentials and region, the same for every kind. */
import type { JsonObject } from '#lib/api/json.ts';
import { type Entry, managedByCluster, ref } from '#lib/cloud/managed.ts';
import { type GcpKind, apiVersionOf, hasRegion } from '../kinds.ts';
import { nameIn } from '../names.ts';
import type { Site } from './site.ts';

/** Kinds whose id the cloud gives. The name of every other object is its id: an object of that name would be adopted. */
const GIVEN_IDS: ReadonlySet<GcpKind> = new Set(['ProjectIAMMember', 'ServiceAccountIAMMember']);

/** In GCP by the id of the cluster. */
export function managed(site: Site, kind: GcpKind, key: string, forProvider: JsonObject, name?: string): Entry {
  return managedByCluster(site, key, {
    apiVersion: apiVersionOf(kind),
    kind,
    externalName: GIVEN_IDS.has(kind) ? undefined : (name ?? nameIn(site.id, key)),
    forProvider: hasRegion(kind) ? { region: site.region, ...forProvider } : forProvider,
  });
}

/** The network, by reference when it is composed and by id when it exists. */
export function networkOf(site: Site): JsonObject {
  return site.network.kind === 'existing' ? { network: site.network.id } : { networkRef: ref(site, 'network') };
}

/** The subnet of machines and load balancer. */
export function subnetOf(site: Site): JsonObject {
  return site.network.kind === 'existing'
    ? { subnetwork: site.network.subnet }
    : { subnetworkRef: ref(site, 'subnet') };
}

/** For kinds that have no labels: whose the object is. */
export function description({ namespace, cluster }: Site, what: string): string {
  return `${what} of Cluster ${namespace}/${cluster}`;
}
