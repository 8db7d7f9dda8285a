/** Managed resources as every cloud composes them: names, labels and credentials, the same for every kind. */
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE, LABEL } from '#lib/api/words.ts';
import { withoutEmpties } from '#lib/fn/empties.ts';
import type { NeutralClusterInput } from './cluster-input.ts';
import { labelsOf } from './labels.ts';
import type { NeutralMachineInput } from './machine-input.ts';
import type { MachineSituation } from './machine.ts';

/** A composition resource name and what it stands for. */
export type Entry = readonly [key: string, resource: KubeObject];

interface Own {
  readonly apiVersion: string;
  readonly kind: string;
  /** In the cloud, for kinds where it is the id or a part of it; left out: the cloud gives an id. */
  readonly externalName?: string | undefined;
  readonly forProvider: JsonObject;
  /** Fields that are only used on creation. */
  readonly initProvider?: JsonObject | undefined;
}

/** What all resources of a cluster have in common. */
export interface ClusterNames {
  readonly cluster: string;
  readonly namespace: string;
  readonly input: Pick<NeutralClusterInput, 'providerConfigRef'>;
}

/**
 * One of a Cluster, named `<cluster>-<key>`. managementPolicies keep their default: late initialisation stores the id
 * that the cloud gives, and without it a provider restart creates a second object.
 */
export function managedByCluster(
  site: ClusterNames,
  key: string,
  own: Own & { readonly labels?: Readonly<Record<string, string>> | undefined },
): Entry {
  const { cluster, namespace } = site;
  const labels = { [LABEL.clusterName]: cluster, [LABEL.cluster]: cluster, ...own.labels };
  return [key, managed({ name: objectName(site, key), namespace, labels }, own, site.input)];
}

/** One of a Machine. @param own with the name of the Kubernetes object */
export function managedByMachine(
  { machine, input }: Pick<MachineSituation, 'machine' | 'input'>,
  own: Own & { readonly name: string },
): KubeObject {
  const { namespace } = machine.metadata;
  return managed({ name: own.name, namespace, labels: labelsOf(machine) }, own, input);
}

/** The object name behind a composition resource name. */
export function objectName({ cluster }: Pick<ClusterNames, 'cluster'>, key: string): string {
  return `${cluster}-${key}`;
}

/** A reference to another resource of the same cluster. */
export function ref(site: Pick<ClusterNames, 'cluster'>, key: string): JsonObject {
  return { name: objectName(site, key) };
}

/** Whether the provider has stored the id in the cloud, so that a restart finds the object. */
export function isIdStored(observed: KubeObject | undefined): boolean {
  return (observed?.metadata?.annotations?.[CROSSPLANE.externalName] ?? '') !== '';
}

/**
 * Lists of forProvider that the provider filled in before. To leave them out would not remove what another manager
 * wrote: an empty list takes them over, once, and is gone with the next call.
 */
export function takingOver(
  resource: KubeObject,
  lists: readonly string[],
  observed: KubeObject | undefined,
): KubeObject {
  const present = at(observed, 'spec', 'forProvider');
  const filledIn = lists.filter((list) => {
    const value: unknown = at(present, list);
    return Array.isArray(value) && value.length > 0;
  });
  if (filledIn.length === 0) return resource;
  const empty = Object.fromEntries(filledIn.map((list) => [list, []]));
  const forProvider = { ...(resource.spec?.['forProvider'] as JsonObject), ...empty };
  return { ...resource, spec: { ...resource.spec, forProvider } };
}

function managed(
  names: { readonly name: string; readonly namespace: string; readonly labels: Readonly<Record<string, string>> },
  { apiVersion, kind, externalName, forProvider, initProvider = {} }: Own,
  { providerConfigRef }: Pick<NeutralMachineInput, 'providerConfigRef'>,
): KubeObject {
  const annotations = externalName === undefined ? {} : { annotations: { [CROSSPLANE.externalName]: externalName } };
  const initial = withoutEmpties(initProvider);
  return {
    apiVersion,
    kind,
    metadata: { ...names, ...annotations },
    spec: {
      forProvider: withoutEmpties(forProvider),
      ...(Object.keys(initial).length === 0 ? {} : { initProvider: initial }),
      providerConfigRef,
    },
  };
}
