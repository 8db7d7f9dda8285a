/** A managed resource of GCP: identity, credentials and region, the same for every kind. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE, LABEL } from '#lib/api/words.ts';
import { type GcpKind, apiVersionOf, hasRegion } from '../kinds.ts';
import { nameIn } from '../names.ts';
import type { Site } from './site.ts';

/** A composition resource name and what it stands for. */
export type Entry = readonly [key: string, resource: KubeObject];

/** Kinds whose id the cloud gives. The name of every other object is its id: an object of that name would be adopted. */
const GIVEN_IDS: ReadonlySet<GcpKind> = new Set(['ProjectIAMMember', 'ServiceAccountIAMMember']);

/**
 * One managed resource, named `<cluster>-<key>`, and in GCP by the id of the cluster. managementPolicies keep their
 * default: an id that the cloud gives must be late-initialised.
 */
export function managed(site: Site, kind: GcpKind, key: string, forProvider: JsonObject, name?: string): Entry {
  const annotations = GIVEN_IDS.has(kind) ? {} : { [CROSSPLANE.externalName]: name ?? nameIn(site.id, key) };
  const resource: KubeObject = {
    apiVersion: apiVersionOf(kind),
    kind,
    metadata: {
      name: objectName(site, key),
      namespace: site.namespace,
      labels: { [LABEL.clusterName]: site.cluster, [LABEL.cluster]: site.cluster },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    spec: {
      forProvider: hasRegion(kind) ? { region: site.region, ...forProvider } : forProvider,
      providerConfigRef: site.input.providerConfigRef,
    },
  };
  return [key, resource];
}

/** The object name behind a composition resource name. */
function objectName(site: Site, key: string): string {
  return `${site.cluster}-${key}`;
}

/** A reference to another resource of this cluster. */
export function ref(site: Site, key: string): JsonObject {
  return { name: objectName(site, key) };
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
