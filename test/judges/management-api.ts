/** Our definitions in a real API server, as Crossplane makes them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { COMPOSITES, NODE_KINDS } from '#lib/api/kinds/definitions.ts';
import { customResourceDefinition } from '#lib/api/schema/definition.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { MANIFESTS } from '../e2e/binaries/catalog.ts';
import { findFolder } from '../e2e/binaries/find.ts';
import type { Kubernetes } from '../e2e/lab/kubernetes.ts';
import { until } from '../e2e/lab/waiting.ts';

/** Undefined: they were not built. */
export const manifests = findFolder(MANIFESTS);

type Crd = KubeObject & {
  spec: { versions: { schema: { openAPIV3Schema: { properties: Record<string, { properties?: JsonObject }> } } }[] };
};

/** Ours and that of Compositions. Crossplane adds a field of its own to the definitions of claims. */
export function definitionsOf(): readonly KubeObject[] {
  const ours = [...COMPOSITES, ...NODE_KINDS].map((definition) => {
    const crd = structuredClone(customResourceDefinition(definition)) as Crd;
    const spec = crd.spec.versions[0]?.schema.openAPIV3Schema.properties['spec'];
    if (spec?.properties !== undefined && (COMPOSITES as readonly unknown[]).includes(definition))
      spec.properties = {
        ...spec.properties,
        crossplane: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      };
    return crd;
  });
  const folder = join(manifests ?? '', 'crds');
  const composition = readdirSync(folder).filter((name) => name.endsWith('_compositions.yaml'));
  return [...ours, ...readObjects(composition.map((name) => join(folder, name)))];
}

/** Applies them, and waits until they are served. */
export async function define({ api }: Kubernetes, definitions: readonly KubeObject[]): Promise<void> {
  for (const definition of definitions) await api.apply(definition);
  for (const { metadata } of definitions)
    await until(`${metadata?.name} is served`, { seconds: 60 }, async () => {
      const crd = await api.get({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        name: metadata?.name ?? '',
      });
      return JSON.stringify(crd['status'] ?? {}).includes('"type":"Established"')
        ? { found: true }
        : { yet: 'it is not established' };
    });
}
