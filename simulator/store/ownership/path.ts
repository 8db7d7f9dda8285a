/** The path of a field as one string: members by name, list items by their keys or, in sets, by their value. */
import { canonical, isJsonObject, type JsonObject } from '#lib/api/json.ts';
import { type Schema, memberSchema, shapeOf } from '../schema/node.ts';

export type FieldPath = string;

const END = '\n';

const member = (base: FieldPath, key: string): FieldPath => `${base}.${key}${END}`;
const item = (base: FieldPath, identity: string): FieldPath => `${base}#${identity}${END}`;

/** What identifies an item of a keyed list: the values of its keys, or their defaults. */
export function identityOf(value: unknown, keys: readonly string[], items: Schema | undefined): string {
  const valueOf = (key: string): unknown => (isJsonObject(value) ? value[key] : undefined);
  return canonical(keys.map((key) => valueOf(key) ?? items?.properties?.[key]?.['default'] ?? null));
}

/** True when `path` is `base` or lies below it. */
export function isWithin(path: FieldPath, base: FieldPath): boolean {
  return path.startsWith(base);
}

/** The elements of a path, from the root. */
export function elementsOf(path: FieldPath): readonly string[] {
  return path.split(END).slice(0, -1);
}

/**
 * Every field of a value that can have an owner: leaves with their value, empty maps, and items of keyed lists.
 * Atomic lists and maps are leaves.
 */
export function leavesOf(value: unknown, schema: Schema | undefined): ReadonlyMap<FieldPath, string> {
  const leaves = new Map<FieldPath, string>();
  collect(value, schema, '', leaves);
  return leaves;
}

/** Of two values: fields that are new or have another value, and fields that are gone. What is shared is not read. */
export interface Difference {
  readonly touched: ReadonlySet<FieldPath>;
  readonly gone: ReadonlySet<FieldPath>;
}

export function differenceOf(before: unknown, after: unknown, schema: Schema | undefined): Difference {
  const touched = new Set<FieldPath>();
  const gone = new Set<FieldPath>();
  compare(before, after, schema, '', touched, gone);
  return { touched, gone };
}

function compare(
  before: unknown,
  after: unknown,
  schema: Schema | undefined,
  base: FieldPath,
  touched: Set<FieldPath>,
  gone: Set<FieldPath>,
): void {
  if (before === after) return;
  if (isFilledMap(before, schema) && isFilledMap(after, schema)) {
    for (const key of Object.keys(after)) {
      if (before[key] === after[key]) continue;
      compare(before[key], after[key], memberSchema(schema, key), member(base, key), touched, gone);
    }
    for (const key of Object.keys(before))
      if (before[key] !== undefined && !Object.hasOwn(after, key))
        compare(before[key], undefined, memberSchema(schema, key), member(base, key), touched, gone);
    return;
  }
  const leaves = [before, after].map((value) => {
    const found = new Map<FieldPath, string>();
    if (value !== undefined) collect(value, schema, base, found);
    return found;
  });
  const [old = new Map<FieldPath, string>(), now = new Map<FieldPath, string>()] = leaves;
  for (const [path, value] of now) if (old.get(path) !== value) touched.add(path);
  for (const path of old.keys()) if (!now.has(path)) gone.add(path);
}

function isFilledMap(value: unknown, schema: Schema | undefined): value is JsonObject {
  if (!isJsonObject(value) || shapeOf(value, schema).type !== 'map') return false;
  for (const key of Object.keys(value)) if (value[key] !== undefined) return true;
  return false;
}

function collect(value: unknown, schema: Schema | undefined, base: FieldPath, into: Map<FieldPath, string>): void {
  const shape = shapeOf(value, schema);
  if (shape.type === 'map' && isJsonObject(value)) {
    const members = Object.entries(value).filter(([, child]) => child !== undefined);
    if (members.length === 0 && base !== '') into.set(base, '{}');
    for (const [key, child] of members) collect(child, memberSchema(schema, key), member(base, key), into);
    return;
  }
  if (shape.type === 'keyed-list' && Array.isArray(value)) {
    if (value.length === 0) into.set(base, '[]');
    for (const child of value as unknown[]) {
      const path = item(base, identityOf(child, shape.keys, schema?.items));
      into.set(path, '');
      collect(child, schema?.items, path, into);
    }
    return;
  }
  if (shape.type === 'set' && Array.isArray(value)) {
    if (value.length === 0) into.set(base, '[]');
    for (const child of value as unknown[]) into.set(item(base, canonical(child)), '');
    return;
  }
  into.set(base, canonical(value));
}
