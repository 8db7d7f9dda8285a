/**
 * The existing composed resources of an XR: by its persisted references, as Crossplane observes them before a pipeline.
 */
import { type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Observed } from '#lib/fn/request.ts';
import { annotationsOf, controllerOf, metaOf, uidOf } from '../store/object.ts';
import type { ObjectRef } from '../store/ref.ts';
import { resourceRefs } from './machinery.ts';

/** Reads objects: from the store, or from the input of a render. */
export interface Reader {
  find(ref: ObjectRef): KubeObject | undefined;
}

/**
 * Composed resources by composition resource name. One that another owner controls counts as absent; one without a
 * composition resource name is an error.
 */
export function observe(reader: Reader, xr: KubeObject): ReadonlyMap<string, Observed> {
  const observed = new Map<string, Observed>();
  for (const ref of resourceRefs(xr)) {
    const resource = reader.find(ref);
    if (resource === undefined) continue;
    const controller = controllerOf(resource);
    if (controller !== undefined && controller.uid !== uidOf(xr)) continue;
    const key = annotationsOf(resource)[CROSSPLANE.compositionResourceName] ?? '';
    if (key === '')
      throw new Error(
        `cannot get existing composed resources: encountered composed resource without required "${CROSSPLANE.compositionResourceName}" annotation`,
      );
    observed.set(key, { resource, connectionDetails: connectionDetails(reader, resource) });
  }
  return new Map([...observed].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function connectionDetails(reader: Reader, resource: KubeObject): Readonly<Record<string, Uint8Array>> {
  const name = stringAt(resource, 'spec', 'writeConnectionSecretToRef', 'name');
  if (name === undefined) return {};
  const namespace =
    stringAt(resource, 'spec', 'writeConnectionSecretToRef', 'namespace') ?? metaOf(resource).namespace ?? '';
  const data = at(reader.find({ apiVersion: 'v1', kind: 'Secret', namespace, name }), 'data');
  return isJsonObject(data)
    ? Object.fromEntries(
        Object.entries(data).map(([key, value]) => [
          key,
          Buffer.from(typeof value === 'string' ? value : '', 'base64'),
        ]),
      )
    : {};
}
