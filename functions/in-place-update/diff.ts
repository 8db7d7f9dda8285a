/** The fields that differ between the existing and the desired object, leaf by leaf. */
import { isJsonObject, type Json, type JsonObject, type KubeObject, sameJson } from '#lib/api/json.ts';
import { isBookkeeping } from './bookkeeping.ts';
import { type Change, own, type Path, valueAt } from './change.ts';
import { isFilledIn } from './filled.ts';
import { isMachine } from './machine.ts';
import { appliedFields, type Owned, ownedBelow } from './owned.ts';
import { ofBoth, ownSpec, withDefaults } from './specs.ts';

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
  const spec = specChanges(observed, desired, ownership);
  const marks = markChanges(observed, desired);
  return marks.length === 0 ? spec : [...spec, ...marks];
}

function specChanges(observed: KubeObject, desired: KubeObject, ownership: 'Whole' | 'Desired'): readonly Change[] {
  const [old, now] = [ownSpec(observed), ownSpec(desired)];
  if (old === now) return NONE;
  if (ownership === 'Whole' && isMachine(observed) && isMachine(desired)) return ofMachines(old, now);
  const found: Change[] = [];
  // Most machines are up to date; parsing them with their schema is more expensive than comparing them.
  if (sameJson(old, now) || (isMachine(desired) && isFilledIn(old, now))) return found;
  const owned = ownership === 'Whole' ? 'Everything' : ownedBelow(appliedFields(observed), 'spec');
  walk(['spec'], comparable(observed), comparable(desired), owned, found);
  return found;
}

const NONE: readonly Change[] = [];

/** Of two specs of Machines: the same list for the same two specs. */
const ofMachines = ofBoth((old, now): readonly Change[] => {
  const found: Change[] = [];
  if (!isFilledIn(old, now)) walk(['spec'], withDefaults(old), withDefaults(now), 'Everything', found);
  return found;
});

/** Others set labels and annotations, too: only those count that we desire or that Crossplane applied. */
function markChanges(observed: KubeObject, desired: KubeObject): readonly Change[] {
  const found: Change[] = [];
  let marks: Owned | undefined;
  for (const kind of ['labels', 'annotations'] as const) {
    const old: JsonObject = observed.metadata?.[kind] ?? {};
    const now: JsonObject = desired.metadata?.[kind] ?? {};
    for (const key of [...new Set([...Object.keys(now), ...Object.keys(old)])].sort()) {
      const path = ['metadata', kind, key];
      const [before, after] = [own(old, key), own(now, key)];
      if (before === after || isMachinery(path) || isBookkeeping(path)) continue;
      if (after === undefined) {
        marks ??= ownedBelow(appliedFields(observed), 'metadata');
        if (ownedBelow(ownedBelow(marks, kind), key) === 'Nothing') continue;
      }
      found.push({ path, old: before, new: after });
    }
  }
  return found;
}

/** The values that a diff compares, for rules that need the context of a field: the spec, parsed with its schema. */
export function comparableObject(object: KubeObject): JsonObject {
  const { labels = {}, annotations = {} } = object.metadata ?? {};
  return { spec: comparable(object), metadata: { labels, annotations } };
}

/**
 * The spec of a Machine is parsed with its schema, so that a field that only a newer release has gets its default on
 * both sides and is not a change.
 */
function comparable(object: KubeObject): Json {
  return isMachine(object) ? withDefaults(ownSpec(object)) : ownSpec(object);
}

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
