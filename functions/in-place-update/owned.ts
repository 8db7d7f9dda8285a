/**
 * Which fields of an observed object Crossplane applied for us: what the API server keeps in metadata.managedFields.
 */
import { isJsonObject, type Json, type KubeObject } from '#lib/api/json.ts';
import { appliedForUs } from '#lib/api/managed-fields.ts';

/** Everything below, nothing below, or the fields in the tree of the API server. */
export type Owned = 'Everything' | 'Nothing' | { readonly [field: string]: Json | undefined };

/** Nothing if the object has no managedFields: then only desired fields count. */
export function appliedFields(object: KubeObject): Owned {
  const [fields] = appliedForUs(object.metadata);
  return fields ?? 'Nothing';
}

/** Ownership of a member. A field that is a leaf of the tree is owned with everything in it. */
export function ownedBelow(owned: Owned, key: string): Owned {
  if (typeof owned === 'string') return owned;
  const below = owned[`f:${key}`];
  if (!isJsonObject(below)) return 'Nothing';
  return Object.keys(below).some((field) => field !== '.') ? below : 'Everything';
}
