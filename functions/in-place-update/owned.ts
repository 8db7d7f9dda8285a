/** Which fields of an observed object Crossplane applied for us: what the API server keeps in metadata.managedFields. */
import { at, isJsonObject, type Json, type KubeObject, stringAt } from '#lib/api/json.ts';

/** Everything below, nothing below, or what the tree of the API server names. */
export type Owned = 'Everything' | 'Nothing' | { readonly [field: string]: Json | undefined };

/** Crossplane applies composed resources under this name and a hash of the composite. */
const MANAGER = 'apiextensions.crossplane.io/composed';

/** Nothing when the object does not tell: then only what is desired counts. */
export function appliedFields(object: KubeObject): Owned {
  const entries = at(object, 'metadata', 'managedFields');
  if (!Array.isArray(entries)) return 'Nothing';
  const own = (entries as readonly Json[]).find(
    (entry) =>
      stringAt(entry, 'manager')?.startsWith(MANAGER) === true &&
      at(entry, 'operation') === 'Apply' &&
      stringAt(entry, 'subresource') === undefined,
  );
  const fields = at(own, 'fieldsV1');
  return isJsonObject(fields) ? fields : 'Nothing';
}

/** Ownership of a member. A field that the tree ends at is owned with everything in it. */
export function ownedBelow(owned: Owned, key: string): Owned {
  if (typeof owned === 'string') return owned;
  const below = owned[`f:${key}`];
  if (!isJsonObject(below)) return 'Nothing';
  return Object.keys(below).some((field) => field !== '.') ? below : 'Everything';
}
