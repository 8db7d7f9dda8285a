/** A managed resource of AWS: identity, credentials and region, the same for every kind. */
import type { JsonObject } from '#lib/api/json.ts';
import { type Entry, managedByCluster, ref } from '#lib/cloud/managed.ts';
import { type AwsKind, apiVersionOf, hasRegion } from '../kinds.ts';
import type { Site } from './site.ts';

interface Marks {
  readonly labels?: Readonly<Record<string, string>>;
  /** The name in AWS, for kinds where the name is the identity and must differ from the name of the object. */
  readonly externalName?: string;
}

export function managed(site: Site, kind: AwsKind, key: string, forProvider: JsonObject, marks: Marks = {}): Entry {
  return managedByCluster(site, key, {
    apiVersion: apiVersionOf(kind),
    kind,
    ...marks,
    forProvider: hasRegion(kind) ? { region: site.region, ...forProvider } : forProvider,
  });
}

/** The network, by reference when it is composed and by id when it exists. */
export function vpc(site: Site): JsonObject {
  return site.network.kind === 'existing' ? { vpcId: site.network.id } : { vpcIdRef: ref(site, 'vpc') };
}
