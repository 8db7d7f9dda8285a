/** Who applied which fields of an object: what the API server keeps in metadata.managedFields. */
import { at, isJsonObject, type Json, type JsonObject, type ObjectMeta, stringAt } from './json.ts';

/** Metadata from the wire has them here, unread: they are half of an object, and few functions look at them. */
export const UNREAD_MANAGED_FIELDS = Symbol('managedFields');

interface ManagedFields {
  /** Whoever wrote them, as they call themselves. */
  readonly manager: string;
  readonly operation: string | undefined;
  /** Undefined: the object itself. */
  readonly subresource: string | undefined;
  /** A tree: `{"f:spec": {"f:replicas": {}}}`. */
  readonly fields: JsonObject;
}

/** Undefined where the object does not tell; lists from kubectl leave it out. */
export function managedFields(metadata: ObjectMeta | undefined): readonly ManagedFields[] | undefined {
  const unread = (metadata as { readonly [UNREAD_MANAGED_FIELDS]?: () => Json } | undefined)?.[UNREAD_MANAGED_FIELDS];
  const entries: unknown = unread === undefined ? metadata?.['managedFields'] : unread();
  if (!Array.isArray(entries)) return undefined;
  return entries.map((entry: unknown) => {
    const fields = at(entry, 'fieldsV1');
    return {
      manager: stringAt(entry, 'manager') ?? '',
      operation: stringAt(entry, 'operation'),
      subresource: stringAt(entry, 'subresource'),
      fields: isJsonObject(fields) ? fields : {},
    };
  });
}

/** Crossplane applies composed resources under this name and a hash of the composite. */
const COMPOSED = 'apiextensions.crossplane.io/composed';

/** The fields Crossplane applied for us, once for each composite that did; none when the object does not tell. */
export function appliedForUs(metadata: ObjectMeta | undefined): readonly JsonObject[] {
  return (managedFields(metadata) ?? [])
    .filter(
      ({ manager, operation, subresource }) =>
        manager.startsWith(COMPOSED) && operation === 'Apply' && subresource === undefined,
    )
    .map(({ fields }) => fields);
}
