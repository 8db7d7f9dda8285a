/** A managed resource of Azure: identity, credentials, region and resource group, the same for every kind. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { type Entry, managedByCluster, ref } from '#lib/cloud/managed.ts';
import { apiVersionOf, type AzureKind, hasLocation, isNamed, namesGroup } from '../kinds.ts';
import { lastPart } from '../ids.ts';
import { nameIn } from '../names.ts';
import type { Site } from './site.ts';

export type Observed = ReadonlyMap<string, KubeObject>;

/** Composition resource name of the resource group. */
export const GROUP = 'group';

/** In Azure by the id of the cluster. */
export function managed(site: Site, kind: AzureKind, key: string, forProvider: JsonObject, name?: string): Entry {
  return managedByCluster(site, key, {
    apiVersion: apiVersionOf(kind),
    kind,
    externalName: isNamed(kind) ? (name ?? nameIn(site.id, key)) : undefined,
    forProvider: {
      ...(hasLocation(kind) ? { location: site.region } : {}),
      ...(namesGroup(kind) ? groupOf(site) : {}),
      ...forProvider,
    },
  });
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
