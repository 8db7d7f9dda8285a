/**
 * spec.crossplane of an XR: the part that belongs to Crossplane, read leniently and written as Crossplane writes it.
 */
import { type JsonObject, type KubeObject, at, isJsonObject, stringAt } from '#lib/api/json.ts';
import { metaOf } from '../store/object.ts';
import { type ObjectRef, refOf } from '../store/ref.ts';

export function compositionName(xr: KubeObject): string | undefined {
  return stringAt(xr, 'spec', 'crossplane', 'compositionRef', 'name');
}

export function revisionName(xr: KubeObject): string | undefined {
  return stringAt(xr, 'spec', 'crossplane', 'compositionRevisionRef', 'name');
}

export function isManual(xr: KubeObject): boolean {
  return stringAt(xr, 'spec', 'crossplane', 'compositionUpdatePolicy') === 'Manual';
}

export function selectorLabels(
  xr: KubeObject,
  selector: 'compositionSelector' | 'compositionRevisionSelector',
): Readonly<Record<string, string>> {
  const labels = at(xr, 'spec', 'crossplane', selector, 'matchLabels');
  return isJsonObject(labels) ? (labels as Readonly<Record<string, string>>) : {};
}

/** The composed resources of the XR that have names. A namespaced XR composes only in its own namespace. */
export function resourceRefs(xr: KubeObject): readonly ObjectRef[] {
  const refs = at(xr, 'spec', 'crossplane', 'resourceRefs');
  const { namespace } = metaOf(xr);
  return (Array.isArray(refs) ? refs : []).flatMap((ref) => {
    const name = stringAt(ref, 'name');
    const own = namespace ?? stringAt(ref, 'namespace');
    if (name === undefined) return [];
    const [apiVersion, kind] = [stringAt(ref, 'apiVersion') ?? '', stringAt(ref, 'kind') ?? ''];
    return [{ apiVersion, kind, ...(own === undefined ? {} : { namespace: own }), name }];
  });
}

/** The XR with a member of spec.crossplane set. */
export function withMachinery(xr: KubeObject, members: JsonObject): KubeObject {
  const present = at(xr, 'spec', 'crossplane');
  const crossplane = { ...(isJsonObject(present) ? present : {}), ...members };
  return { ...xr, spec: { ...xr.spec, crossplane } };
}

/**
 * The list of references as it is persisted: sorted, without the namespace that a namespaced XR implies. A uid that a
 * function set on a composed resource is included, and then refused, because the schema of the XR has no field for it.
 */
export function persistedRefs(xr: KubeObject, composed: readonly KubeObject[]): readonly JsonObject[] {
  const namespaced = metaOf(xr).namespace !== undefined;
  return composed
    .map((resource) => ({ ...refOf(resource), uid: resource.metadata?.uid }))
    .map(({ apiVersion, kind, namespace, name, uid }) => ({
      apiVersion,
      kind,
      name,
      ...(uid === undefined ? {} : { uid }),
      ...(namespaced || namespace === undefined ? {} : { namespace }),
    }))
    .toSorted((a, b) => {
      const [left, right] = [sortKey(a), sortKey(b)];
      return left < right ? -1 : left > right ? 1 : 0;
    });
}

function sortKey(ref: { apiVersion: string; kind: string; name: string; namespace?: string }): string {
  return `${ref.apiVersion}${ref.kind}${ref.name}${ref.namespace ?? ''}`;
}
