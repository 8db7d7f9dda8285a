/**
 * Fills in defaults of a schema, inside existing objects; existing values never change. As for the API server, a null
 * where the schema allows none is a field that is left out if it has a default, and is refused otherwise.
 */
import { isJsonObject } from '#lib/api/json.ts';
import { type Schema, memberSchema } from './node.ts';

/** Values that lack nothing. Objects are never modified, and most of an object stays as it is. */
const filled = new WeakMap<object, Schema>();

/** The value with defaults, or the same value if none was missing. */
export function withDefaults(value: unknown, schema: Schema | undefined): unknown {
  if (schema === undefined || typeof value !== 'object' || value === null) return value;
  if (filled.get(value) === schema) return value;
  const complete = completed(value, schema);
  filled.set(complete, schema);
  return complete;
}

function completed(value: object, schema: Schema): object {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withDefaults(item, schema.items));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const changes: Record<string, unknown> = {};
  for (const [key, child] of defaultsOf(schema))
    if (value[key] === undefined || (value[key] === null && schema.properties?.[key]?.['nullable'] !== true))
      changes[key] = child;
  for (const [key, before] of Object.entries({ ...value, ...changes })) {
    const after = withDefaults(before, memberSchema(schema, key));
    if (after !== before) changes[key] = after;
  }
  return Object.keys(changes).length === 0 ? value : { ...value, ...changes };
}

const defaults = new WeakMap<Schema, readonly (readonly [string, unknown])[]>();

/** The members of an object that have one. */
function defaultsOf(schema: Schema): readonly (readonly [string, unknown])[] {
  const known = defaults.get(schema);
  if (known !== undefined) return known;
  const found = Object.entries(schema.properties ?? {}).flatMap(([key, child]): (readonly [string, unknown])[] =>
    child['default'] === undefined ? [] : [[key, child['default']]],
  );
  defaults.set(schema, found);
  return found;
}
