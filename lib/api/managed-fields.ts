/** Who applied which fields of an object: what the API server keeps in metadata.managedFields. */
import { at, isJsonObject, type JsonObject, type ObjectMeta, stringAt } from './json.ts';

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
  const entries: unknown = metadata?.['managedFields'];
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
