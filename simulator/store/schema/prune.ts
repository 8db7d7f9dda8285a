/** Removes unknown fields, as the API server does silently on an update. */
import { isJsonObject } from '#lib/api/json.ts';
import { type Schema, isOpen, memberSchema } from './node.ts';

export function pruned(value: unknown, schema: Schema | undefined): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => pruned(item, schema.items));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    const child = memberSchema(schema, key);
    if (child !== undefined) return [[key, pruned(member, child)]];
    return isOpen(schema) || schema.type !== 'object' ? [[key, member]] : [];
  });
  return Object.fromEntries(kept);
}
