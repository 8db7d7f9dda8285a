/** The fields that differ between the existing and the desired object, leaf by leaf. */
import { isJsonObject, type Json, type JsonObject, type KubeObject, sameJson } from '#lib/api/json.ts';
import { isBookkeeping } from './bookkeeping.ts';
import { type Change, own, type Path, valueAt } from './change.ts';
import { isFilledIn } from './filled.ts';
import { isMachine } from './machine.ts';
import { appliedFields, type Owned, ownedBelow } from './owned.ts';
import { withDefaults } from './specs.ts';

/**
 * Changes of spec and of our labels and annotations, sorted by path.
 * @param ownership Whole: a field of spec that is only observed was removed. Desired: only if Crossplane applied it;
 *   all others belong to other field managers, such as a provider
 */
export function changesBetween(
  observed: KubeObject,
  desired: KubeObject,
  ownership: 'Whole' | 'Desired',
): readonly Change[] {
  const found: Change[] = [];
  const applied = appliedFields(observed);
  const [old, now] = [ownSpec(observed), ownSpec(desired)];
  const spec = ownership === 'Whole' ? 'Everything' : ownedBelow(applied, 'spec');
  // Most machines are up to date; parsing them with their schema is more expensive than comparing them.
  if (!sameJson(old, now) && !(isMachine(desired) && isFilledIn(old, now)))
    walk(['spec'], comparable(observed, old), comparable(desired, now), spec, found);
  // Others set labels and annotations, too: only those count that we desire or that Crossplane applied.
  const marks = ownedBelow(applied, 'metadata');
  for (const kind of ['labels', 'annotations'] as const)
    walk(
      ['metadata', kind],
      observed.metadata?.[kind] ?? {},
      desired.metadata?.[kind] ?? {},
      ownedBelow(marks, kind),
      found,
    );
  return found.filter(({ path }) => !isMachinery(path) && !isBookkeeping(path));
}

/** The values that a diff compares, for rules that need the context of a field: the spec, parsed with its schema. */
export function comparableObject(object: KubeObject): JsonObject {
  const { labels = {}, annotations = {} } = object.metadata ?? {};
  return { spec: comparable(object, ownSpec(object)), metadata: { labels, annotations } };
}

/** The spec without the fields of Crossplane, and without spec.update, which this step itself sets on a Machine. */
function ownSpec(object: KubeObject): JsonObject {
  const { crossplane: _machinery, ...spec } = object.spec ?? {};
  if (!isMachine(object)) return spec;
  const { update: _order, ...own } = spec;
  return own;
}

/**
 * The spec of a Machine is parsed with its schema, so that a field that only a newer release has gets its default on
 * both sides and is not a change.
 */
function comparable(object: KubeObject, spec: JsonObject): Json {
  if (!isMachine(object)) return spec;
  const known = read.get(object) ?? withDefaults(spec);
  read.set(object, known);
  return known;
}

/** Objects of a request never change; each is read once. */
const read = new WeakMap<KubeObject, JsonObject>();

function walk(path: Path, old: unknown, now: unknown, owned: Owned, found: Change[]): void {
  if (isJsonObject(old) && isJsonObject(now)) {
    const gone = Object.keys(old).filter((key) => !Object.hasOwn(now, key) && ownedBelow(owned, key) !== 'Nothing');
    for (const key of [...Object.keys(now), ...gone].sort())
      walk([...path, key], own(old, key), own(now, key), ownedBelow(owned, key), found);
    return;
  }
  if (Array.isArray(old) && Array.isArray(now) && old.length === now.length) {
    // A list has one owner, or its items have merge keys that are not known here: only what is in both is compared.
    const items = typeof owned === 'string' ? owned : 'Nothing';
    for (const [index, item] of now.entries()) walk([...path, index], old[index], item, items, found);
    return;
  }
  if (old === now || (isEmpty(old) && isEmpty(now))) return;
  if (!sameJson(old ?? null, now ?? null))
    found.push({ path, old: old as Json | undefined, new: now as Json | undefined });
}

/** Crossplane and the API server set labels and annotations of their own, also as our field manager. */
function isMachinery([top, , key]: Path): boolean {
  return top === 'metadata' && /^([a-z0-9-]+\.)*crossplane\.io\//.test(String(key));
}

/** An absent field, an empty list and an empty object are equivalent. */
function isEmpty(value: unknown): boolean {
  if (value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every((item) => item === undefined);
}

/**
 * The parts of a change, field by field: if a list grew, or an object was added or removed as a whole, every different
 * field in it counts.
 */
export function leavesOf({ path, old, new: now }: Change): readonly Change[] {
  const objects = [old, now].filter(isJsonObject);
  if (objects.length > 0 && [old, now].every((side) => side === undefined || isJsonObject(side)))
    return inside(path, old, now, [...new Set(objects.flatMap((one) => Object.keys(one)))].sort());
  const lists = [old, now].filter((side) => Array.isArray(side));
  if (lists.length > 0 && [old, now].every((side) => side === undefined || Array.isArray(side)))
    return inside(path, old, now, [...Array(Math.max(...lists.map((list) => list.length))).keys()]);
  return sameJson(old ?? null, now ?? null) ? [] : [{ path, old, new: now }];
}

function inside(
  path: Path,
  old: Json | undefined,
  now: Json | undefined,
  keys: readonly (string | number)[],
): readonly Change[] {
  const leaves = keys.flatMap((key) =>
    leavesOf({ path: [...path, key], old: valueAt(old, [key]), new: valueAt(now, [key]) }),
  );
  return keys.length === 0 ? [{ path, old, new: now }] : leaves;
}
