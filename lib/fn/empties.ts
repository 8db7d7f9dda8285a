/**
 * Empty lists, empty maps and null in what a provider is told. The types of a provider cannot hold them: each write of
 * the provider drops them, and each call would add them again, for ever.
 */
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';

const PARTS = ['forProvider', 'initProvider'] as const;

/** The fields without those that are empty; an item of a list stays, also if nothing is left in it. */
export function withoutEmpties(fields: JsonObject): JsonObject {
  return filledFields(
    fields,
    (value) => isEmptyList(value) || (isJsonObject(value) && Object.keys(value).length === 0),
  );
}

/** An observed managed resource as it may be desired; `{}` stays, because a block may have no fields. */
export function withoutEmptyLists(object: KubeObject): KubeObject {
  const { spec } = object;
  if (spec === undefined || !isOfCloud(object)) return object;
  const parts = PARTS.flatMap((part) => {
    const fields = spec[part];
    return isJsonObject(fields) ? [[part, filledFields(fields, isEmptyList)] as const] : [];
  });
  return parts.length === 0 ? object : { ...object, spec: { ...spec, ...Object.fromEntries(parts) } };
}

/** A merge patch that takes away a list instead of emptying it: a provider cannot tell the two apart. */
export function takingEmptyListsAway(patch: JsonObject): JsonObject {
  const entries = Object.entries(patch).map(([key, value]) => {
    if (isJsonObject(value)) return [key, takingEmptyListsAway(value)] as const;
    return [key, isEmptyList(value) ? null : value] as const;
  });
  return Object.fromEntries(entries);
}

/** Values of charts and manifests are not of a cloud: their empty lists mean something. */
function isOfCloud({ apiVersion }: KubeObject): boolean {
  const [group = '', version] = apiVersion.split('/');
  return version !== undefined && !group.endsWith('.crossplane.io');
}

function filledFields(fields: JsonObject, isEmpty: (value: Json) => boolean): JsonObject {
  const kept = Object.entries(fields).flatMap(([key, value]) => {
    if (value === undefined || value === null) return [];
    const filled = filledValue(value, isEmpty);
    return isEmpty(filled) ? [] : [[key, filled] as const];
  });
  return Object.fromEntries(kept);
}

function filledValue(value: Json, isEmpty: (value: Json) => boolean): Json {
  if (isJsonObject(value)) return filledFields(value, isEmpty);
  if (!Array.isArray(value)) return value;
  return (value as readonly Json[]).filter((item) => item !== null).map((item) => filledValue(item, isEmpty));
}

function isEmptyList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}
