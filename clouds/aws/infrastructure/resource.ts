/** A managed resource of AWS: identity, credentials and region, the same for every kind. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE, LABEL } from '#lib/api/words.ts';
import { type AwsKind, apiVersionOf, hasRegion } from '../kinds.ts';
import type { Site } from './site.ts';

/** A composition resource name and what it stands for. */
export type Entry = readonly [key: string, resource: KubeObject];

interface Marks {
  readonly labels?: Readonly<Record<string, string>>;
  /** The name in AWS, for kinds where the name is the identity and must differ from the name of the object. */
  readonly externalName?: string;
}

/**
 * One managed resource, named `<cluster>-<key>`. managementPolicies keep their default: the id that the provider
 * assigns must be late-initialised, or a provider restart creates a second object.
 */
export function managed(site: Site, kind: AwsKind, key: string, forProvider: JsonObject, marks: Marks = {}): Entry {
  const { externalName, labels } = marks;
  const resource: KubeObject = {
    apiVersion: apiVersionOf(kind),
    kind,
    metadata: {
      name: nameOf(site, key),
      namespace: site.namespace,
      labels: { [LABEL.clusterName]: site.cluster, [LABEL.cluster]: site.cluster, ...labels },
      ...(externalName === undefined ? {} : { annotations: { [CROSSPLANE.externalName]: externalName } }),
    },
    spec: {
      forProvider: hasRegion(kind) ? { region: site.region, ...forProvider } : forProvider,
      providerConfigRef: site.input.providerConfigRef,
    },
  };
  return [key, resource];
}

/** The object name behind a composition resource name. */
export function nameOf(site: Site, key: string): string {
  return `${site.cluster}-${key}`;
}

/** A reference to another resource of this cluster. */
export function ref(site: Site, key: string): JsonObject {
  return { name: nameOf(site, key) };
}

/** The network, by reference when it is composed and by id when it exists. */
export function vpc(site: Site): JsonObject {
  return site.network.kind === 'existing' ? { vpcId: site.network.id } : { vpcIdRef: ref(site, 'vpc') };
}
