/** Which fields of an observed object Crossplane applied for us: what the API server keeps in metadata.managedFields. */
import { isJsonObject, type Json, type KubeObject } from '#lib/api/json.ts';
import { appliedForUs } from '#lib/api/managed-fields.ts';

/** Everything below, nothing below, or what the tree of the API server names. */
export type Owned = 'Everything' | 'Nothing' | { readonly [field: string]: Json | undefined };

/** Nothing when the object does not tell: then only what is desired counts. */
export function appliedFields(object: KubeObject): Owned {
  const [fields] = appliedForUs(object.metadata);
  return fields ?? 'Nothing';
}

/** Ownership of a member. A field that the tree ends at is owned with everything in it. */
export function ownedBelow(owned: Owned, key: string): Owned {
  if (typeof owned === 'string') return owned;
  const below = owned[`f:${key}`];
  if (!isJsonObject(below)) return 'Nothing';
  return Object.keys(below).some((field) => field !== '.') ? below : 'Everything';
}
