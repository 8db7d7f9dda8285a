/** A managed resource of Azure: identity, credentials, region and resource group, the same for every kind. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { CROSSPLANE, LABEL } from '#lib/api/words.ts';
import { apiVersionOf, type AzureKind, hasLocation, isNamed, namesGroup } from '../kinds.ts';
import { lastPart } from '../ids.ts';
import { nameIn } from '../names.ts';
import type { Site } from './site.ts';

/** A composition resource name and what it stands for. */
export type Entry = readonly [key: string, resource: KubeObject];

export type Observed = ReadonlyMap<string, KubeObject>;

/** Composition resource name of the resource group. */
export const GROUP = 'group';

/**
 * One managed resource, named `<cluster>-<key>`, and in Azure by the id of the cluster. managementPolicies keep their
 * default: an id that the cloud gives must be late-initialised.
 */
export function managed(site: Site, kind: AzureKind, key: string, forProvider: JsonObject, name?: string): Entry {
  const annotations = isNamed(kind) ? { [CROSSPLANE.externalName]: name ?? nameIn(site.id, key) } : undefined;
  const resource: KubeObject = {
    apiVersion: apiVersionOf(kind),
    kind,
    metadata: {
      name: objectName(site, key),
      namespace: site.namespace,
      labels: { [LABEL.clusterName]: site.cluster, [LABEL.cluster]: site.cluster },
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: {
      forProvider: {
        ...(hasLocation(kind) ? { location: site.region } : {}),
        ...(namesGroup(kind) ? groupOf(site) : {}),
        ...forProvider,
      },
      providerConfigRef: site.input.providerConfigRef,
    },
  };
  return [key, resource];
}

/** An object of somebody else, which is read and nothing else. @param id in Azure */
export function lookedAt(site: Site, kind: AzureKind, key: string, id: string): Entry {
  const [, { metadata, ...resource }] = managed(site, kind, key, {});
  const annotations = { [CROSSPLANE.externalName]: id };
  const spec = { ...resource.spec, forProvider: {}, managementPolicies: ['Observe'] };
  return [key, { ...resource, metadata: { ...metadata, annotations }, spec }];
}

/** The resource group of everything of the cluster. */
function groupOf(site: Site): JsonObject {
  const { resourceGroup } = site.existing;
  return resourceGroup === undefined
    ? { resourceGroupNameRef: ref(site, GROUP) }
    : { resourceGroupName: lastPart(resourceGroup.id) };
}

/** What exists, unchanged: what it needs cannot be read now, and it cannot change anyway. */
export function kept(key: string, observed: Observed): readonly Entry[] {
  const made = observed.get(key);
  return made === undefined ? [] : [[key, asDesired(made)]];
}

/** The object name behind a composition resource name. */
function objectName(site: Site, key: string): string {
  return `${site.cluster}-${key}`;
}

/** A reference to another resource of this cluster. */
export function ref(site: Site, key: string): JsonObject {
  return { name: objectName(site, key) };
}
