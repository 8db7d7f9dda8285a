/** A managed resource of Azure: identity, credentials, region and resource group, the same for every kind. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { output } from '#lib/cloud/observed.ts';
import { filled } from '#lib/cloud/reported.ts';
import { type Entry, managedByCluster, ref } from '#lib/cloud/managed.ts';
import { apiVersionOf, type AzureKind, hasLocation, isNamed, namesGroup } from '../kinds.ts';
import { lastPart } from '../ids.ts';
import { nameIn } from '../names.ts';
import type { Site } from './site.ts';

export type Observed = ReadonlyMap<string, KubeObject>;

/** Composition resource name of the resource group. */
export const GROUP = 'group';

/** @param name  of the object: in Azure by the id of the cluster, or the id that the provider knows it by */
export function managed(site: Site, kind: AzureKind, key: string, forProvider: JsonObject, name?: string): Entry {
  return managedByCluster(site, key, {
    apiVersion: apiVersionOf(kind),
    kind,
    externalName: isNamed(kind) ? (name ?? nameIn(site.id, key)) : name,
    forProvider: {
      ...(hasLocation(kind) ? { location: site.region } : {}),
      ...(namesGroup(kind) ? groupOf(site) : {}),
      ...forProvider,
    },
  });
}

/** The id of the resource group of the cluster, once the cloud told. */
export function groupId({ existing }: Pick<Site, 'existing'>, observed: Observed): string | undefined {
  return existing.resourceGroup?.id ?? output(observed.get(GROUP), 'id');
}

/**
 * An object that the provider knows by an id and not by its name. It has that id from the start: a provider that restarts
 * while it creates the object would otherwise find one that is not its own, for ever.
 * @param idOf  its id in a resource group
 */
export function known(
  site: Site,
  kind: AzureKind,
  key: string,
  observed: Observed,
  forProvider: JsonObject,
  idOf: (group: string) => string,
): readonly Entry[] {
  const group = groupId(site, observed);
  const id = idGiven(observed.get(key)) ?? (group === undefined ? undefined : idOf(group));
  return id === undefined ? kept(key, observed) : [managed(site, kind, key, forProvider, id)];
}

/** As the provider gave it, with capitals of its own. */
export function idGiven(made: KubeObject | undefined): string | undefined {
  return filled(made?.metadata?.annotations?.[CROSSPLANE.externalName]);
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
