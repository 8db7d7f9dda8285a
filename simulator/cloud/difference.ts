/** Differences between desired and existing arguments, with the names of Terraform. */
import { type Json, type JsonObject, isJsonObject, sameJson } from '#lib/api/json.ts';

export interface Difference {
  /** Dotted path as in the managed resource, without list positions: `rootBlockDevice.encrypted`. */
  readonly field: string;
  /** The Terraform name: `root_block_device.0.encrypted`. */
  readonly argument: string;
  readonly before: string;
  readonly after: string;
}

/** Arguments that are maps; every other object is a block that occurs at most once, which Terraform keeps in a list. */
const MAPS = new Set(['labels', 'metadata', 'tags', 'volumeTags']);

/** Leaves of `wanted` that differ in `present`, sorted; fields that are not in `wanted` do not count. */
export function differences(wanted: JsonObject, present: JsonObject): readonly Difference[] {
  return [...walk(wanted, present, '', '')].toSorted((a, b) => (a.argument < b.argument ? -1 : 1));
}

function* walk(wanted: JsonObject, present: JsonObject, field: string, argument: string): Generator<Difference> {
  for (const [key, value] of Object.entries(wanted)) {
    if (value === undefined || /(Refs?|Selector)$/.test(key)) continue;
    const before = present[key];
    const names = [join(field, key), join(argument, snake(key))] as const;
    if (isJsonObject(value))
      yield* walk(value, isJsonObject(before) ? before : {}, names[0], MAPS.has(key) ? names[1] : `${names[1]}.0`);
    else if (isBlockList(value)) {
      for (const [index, item] of value.entries())
        yield* walk(item, blockAt(before, index), names[0], `${names[1]}.${index}`);
      const count = Array.isArray(before) ? before.length : 0;
      if (count > value.length)
        yield { field: names[0], argument: `${names[1]}.#`, before: String(count), after: String(value.length) };
    } else if (!sameValue(value, before))
      yield { field: names[0], argument: names[1], before: text(before), after: text(value) };
  }
  if (field !== '') return;
  for (const key of MAPS)
    if (isJsonObject(wanted[key]) && isJsonObject(present[key]))
      for (const gone of Object.keys(present[key]).filter((name) => at(wanted[key], name) === undefined))
        yield { field: `${key}.${gone}`, argument: `${key}.${gone}`, before: text(present[key][gone]), after: '' };
}

function at(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) ? value[key] : undefined;
}

function isBlockList(value: Json): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
}

function blockAt(value: Json | undefined, index: number): JsonObject {
  const item: unknown = Array.isArray(value) ? value[index] : index === 0 ? value : undefined;
  return isJsonObject(item) ? item : {};
}

/** The cloud treats lists of plain values as sets; numbers and booleans equal their text. */
function sameValue(left: Json, right: Json | undefined): boolean {
  if (Array.isArray(left) && Array.isArray(right))
    return sameJson(left.map(String).toSorted(), right.map(String).toSorted());
  return right !== undefined && (sameJson(left, right) || text(left) === text(right));
}

function join(base: string, key: string): string {
  return base === '' ? key : `${base}.${key}`;
}

function snake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function text(value: Json | undefined): string {
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}
