/** Fills in defaults of a schema, inside existing objects; existing values never change. */
import { isJsonObject } from '#lib/api/json.ts';
import { type Schema, memberSchema } from './node.ts';

/** The value with defaults, or the same value if none was missing. */
export function withDefaults(value: unknown, schema: Schema | undefined): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withDefaults(item, schema.items));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const result: Record<string, unknown> = { ...value };
  let changed = false;
  for (const [key, child] of Object.entries(schema.properties ?? {}))
    if (child['default'] !== undefined && value[key] === undefined) {
      result[key] = child['default'];
      changed = true;
    }
  for (const key of Object.keys(result)) {
    const before = result[key];
    const after = withDefaults(before, memberSchema(schema, key));
    if (after === before) continue;
    result[key] = after;
    changed = true;
  }
  return changed ? result : value;
}
