/** Merges values as server-side apply does, and removes fields. Neither changes its input. */
import { canonical, isJsonObject } from '#lib/api/json.ts';
import { type Schema, memberSchema, shapeOf } from '../schema/node.ts';
import { type FieldPath, elementsOf, identityOf } from './path.ts';

/** `applied` merged over `live`: maps by member, keyed lists by item, sets as a union, everything else as a whole. */
export function merged(live: unknown, applied: unknown, schema: Schema | undefined): unknown {
  if (applied === undefined) return live;
  if (live === undefined || live === null) return applied;
  const shape = shapeOf(applied, schema);
  if (shape.type === 'map' && isJsonObject(applied) && isJsonObject(live)) {
    const result: Record<string, unknown> = { ...live };
    for (const [key, child] of Object.entries(applied))
      if (child !== undefined) result[key] = merged(live[key], child, memberSchema(schema, key));
    return result;
  }
  if (shape.type === 'keyed-list' && Array.isArray(applied) && Array.isArray(live))
    return mergedItems(live, applied, shape.keys, schema?.items);
  if (shape.type === 'set' && Array.isArray(applied) && Array.isArray(live)) {
    const present = new Set(live.map(canonical));
    return [...(live as unknown[]), ...applied.filter((child: unknown) => !present.has(canonical(child)))];
  }
  return applied;
}

function mergedItems(
  live: readonly unknown[],
  applied: readonly unknown[],
  keys: readonly string[],
  schema: Schema | undefined,
): readonly unknown[] {
  const overlay = new Map(applied.map((child) => [identityOf(child, keys, schema), child]));
  const kept = live.map((child) => {
    const identity = identityOf(child, keys, schema);
    const over = overlay.get(identity);
    overlay.delete(identity);
    return over === undefined ? child : merged(child, over, schema);
  });
  return [...kept, ...overlay.values()];
}

/**
 * The value without the field at a path; containers that become empty are removed, too, unless `isOwned` says that a
 * manager applied them like this.
 */
export function without(
  value: unknown,
  path: FieldPath,
  schema: Schema | undefined,
  isOwned: (path: FieldPath) => boolean,
): unknown {
  return removed(value, elementsOf(path), 0, schema, isOwned);
}

function removed(
  value: unknown,
  elements: readonly string[],
  depth: number,
  schema: Schema | undefined,
  isOwned: (path: FieldPath) => boolean,
): unknown {
  const element = elements[depth];
  if (element === undefined) return undefined;
  const last = depth === elements.length - 1;
  const name = element.slice(1);
  if (element.startsWith('.')) {
    if (!isJsonObject(value) || value[name] === undefined) return value;
    const child = last ? undefined : removed(value[name], elements, depth + 1, memberSchema(schema, name), isOwned);
    const { [name]: _gone, ...rest } = value;
    const result = child === undefined ? rest : { ...value, [name]: child };
    return Object.keys(result).length === 0 && depth > 0 && !isOwned(pathTo(elements, depth)) ? undefined : result;
  }
  if (!Array.isArray(value)) return value;
  const shape = shapeOf(value, schema);
  const identity = (child: unknown): string =>
    shape.type === 'keyed-list' ? identityOf(child, shape.keys, schema?.items) : canonical(child);
  const items = value.flatMap((child: unknown) => {
    if (identity(child) !== name) return [child];
    // Without its key, an item goes with its defaults, which nobody owns.
    const isKey =
      shape.type === 'keyed-list' &&
      depth + 2 === elements.length &&
      shape.keys.some((key) => elements[depth + 1] === `.${key}`);
    const left = last || isKey ? undefined : removed(child, elements, depth + 1, schema?.items, isOwned);
    return left === undefined ? [] : [left];
  });
  return items.length === 0 && !isOwned(pathTo(elements, depth)) ? undefined : items;
}

function pathTo(elements: readonly string[], depth: number): FieldPath {
  return elements
    .slice(0, depth)
    .map((element) => `${element}\n`)
    .join('');
}
