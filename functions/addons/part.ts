/** What all objects of add-ons have in common, and how providers reach the cluster. */
import { type KubeObject, type ObjectMeta, stringAt } from '#lib/api/json.ts';
import type { Cluster } from '#lib/api/kinds/cluster.ts';
import { joinName, shortHash } from '#lib/api/names.ts';
import {
  ADD_ON_POLICY,
  clusterLabels,
  CROSSPLANE,
  HELM_API_VERSION,
  KUBERNETES_API_VERSION,
  LABEL,
} from '#lib/api/words.ts';
import { asDesired } from '#lib/fn/keep.ts';
import type { Situation } from './situation.ts';

/** Without Delete: nothing is uninstalled with the object, so a Cluster that is deleted waits for no add-on. */
export const MANAGED: readonly string[] = ['Observe', 'Create', 'Update', 'LateInitialize'];
/** Set only on what leaves the cluster. */
export const DELETED: readonly string[] = ['*'];

export function metadataOf(
  cluster: Cluster,
  { name, policy }: { readonly name: string; readonly policy: string },
  objectName: string,
  annotations: Readonly<Record<string, string>> = {},
): ObjectMeta {
  return {
    name: objectName,
    namespace: cluster.metadata.namespace,
    labels: { ...clusterLabels(cluster.metadata.name), [LABEL.addOn]: name },
    annotations: { ...annotations, [ADD_ON_POLICY]: policy },
  };
}

/** Composition resource names of the ProviderConfigs, by the API of what uses them. */
export const PROVIDER_CONFIGS: ReadonlyMap<string, string> = new Map([
  [HELM_API_VERSION, 'addons-helm-provider-config'],
  [KUBERNETES_API_VERSION, 'addons-kubernetes-provider-config'],
]);

/**
 * The one that exists, or a name that no team can choose: with that of somebody else, add-ons would be applied wherever
 * it leads, as whoever it says.
 */
export function providerConfigRef(
  { cluster: { metadata }, observed }: Pick<Situation, 'cluster' | 'observed'>,
  apiVersion: string,
): { readonly kind: string; readonly name: string } {
  const made = observed.get(PROVIDER_CONFIGS.get(apiVersion) ?? '')?.metadata?.name;
  return { kind: 'ProviderConfig', name: made ?? joinName([metadata.name, shortHash(metadata.uid ?? '')]) };
}

export function providerConfig(situation: Pick<Situation, 'cluster' | 'observed'>, apiVersion: string): KubeObject {
  const { name: cluster, namespace } = situation.cluster.metadata;
  const { kind, name } = providerConfigRef(situation, apiVersion);
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, labels: clusterLabels(cluster) },
    spec: { credentials: { source: 'Secret', secretRef: { name: `${cluster}-kubeconfig`, namespace, key: 'value' } } },
  };
}

/**
 * An object as it is, to stay so. The name of a release in the cluster stays whoever wrote it: without it, the provider
 * would install the chart a second time, under the name of the object.
 */
export function asItIs(object: KubeObject): KubeObject {
  const kept = asDesired(object);
  const name = stringAt(object.metadata, 'annotations', CROSSPLANE.externalName);
  if (object.apiVersion !== HELM_API_VERSION || name === undefined) return kept;
  const annotations = { ...kept.metadata?.annotations, [CROSSPLANE.externalName]: name };
  return { ...kept, metadata: { ...kept.metadata, annotations } };
}

/** Keep or Delete; undefined for an object that does not say. */
export function policyOf({ metadata }: KubeObject): string | undefined {
  return stringAt(metadata, 'annotations', ADD_ON_POLICY);
}
