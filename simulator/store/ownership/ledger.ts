/**
 * The owners of the fields of one object: what Kubernetes keeps in metadata.managedFields. If a manager applies without
 * a field that it owned, the field is removed, unless another manager owns it, too.
 */
import type { Schema } from '../schema/node.ts';
import { merged, without } from './merge.ts';
import { differenceOf, type FieldPath, isWithin, leavesOf } from './path.ts';

/** Name of a manager and how it writes: an applier and an updater with the same name own fields separately. */
export type Manager = string;

export const applier = (name: string, subresource = ''): Manager => `apply:${subresource}:${name}`;
export const updater = (name: string, subresource = ''): Manager => `update:${subresource}:${name}`;

/** Applied over what has members, an empty map or list is no field of the result. */
const EMPTY: ReadonlySet<string> = new Set(['{}', '[]']);

export class Ledger {
  readonly #owned: ReadonlyMap<Manager, ReadonlySet<FieldPath>>;

  /** Whether a manager may own what is no field since an apply; the next update forgets them. */
  readonly #stale: boolean;

  constructor(owned: ReadonlyMap<Manager, ReadonlySet<FieldPath>> = new Map(), stale = false) {
    this.#owned = owned;
    this.#stale = stale;
  }

  /** The fields of a manager: the same set until it loses or gets one. */
  fieldsOf(manager: Manager): ReadonlySet<FieldPath> | undefined {
    return this.#owned.get(manager);
  }

  /** Sorted managers of a field, for tests and messages. */
  managersOf(path: FieldPath): readonly Manager[] {
    return [...this.#owned]
      .filter(([, fields]) => fields.has(path))
      .map(([manager]) => manager)
      .toSorted();
  }

  /** Forced server-side apply: the resulting object and the owners of its fields. */
  apply(
    live: unknown,
    applied: unknown,
    manager: Manager,
    schema: Schema | undefined,
  ): { value: unknown; ledger: Ledger } {
    const wanted = leavesOf(applied, schema);
    const present = leavesOf(live, schema);
    const before = this.#owned.get(manager) ?? new Set<FieldPath>();
    const taken = [...wanted.keys()].filter((path) => wanted.get(path) !== present.get(path));
    const others = this.#others(manager, taken);
    const dropped = [...before].filter((path) => !wanted.has(path)).toSorted((a, b) => b.length - a.length);
    const isOwned = (path: FieldPath): boolean => wanted.has(path) || isOwnedBy(others, path);
    let value = merged(live, applied, schema);
    for (const path of dropped) {
      if (isHeld(path, wanted.keys(), others)) continue;
      value = without(value, path, schema, isOwned) ?? {};
    }
    const { gone } = differenceOf(live, value, schema);
    const isEmpty = (path: FieldPath): boolean => EMPTY.has(wanted.get(path) ?? '');
    const stale = this.#stale || taken.some(isEmpty) || [...gone].some((path) => isOwnedBy(others, path));
    return { value, ledger: new Ledger(owning(others, manager, new Set(wanted.keys())), stale) };
  }

  /** An update: the writer owns what it changed; what it removed has no owner. */
  update(live: unknown, written: unknown, manager: Manager, schema: Schema | undefined): Ledger {
    const { touched, gone } = differenceOf(live, written, schema);
    if (touched.size === 0 && gone.size === 0 && !this.#stale) return this;
    const absent = this.#stale ? this.#without(leavesOf(written, schema)) : [...gone];
    const others = this.#others(manager, [...touched, ...absent]);
    const own = less(this.#owned.get(manager) ?? new Set<FieldPath>(), absent);
    return new Ledger(owning(others, manager, new Set([...own, ...touched])));
  }

  /** Fields with an owner that are not among the leaves. */
  #without(leaves: ReadonlyMap<FieldPath, string>): readonly FieldPath[] {
    return [...this.#owned.values()].flatMap((fields) => [...fields].filter((path) => !leaves.has(path)));
  }

  #others(manager: Manager, lost: readonly FieldPath[]): Map<Manager, ReadonlySet<FieldPath>> {
    const others = new Map<Manager, ReadonlySet<FieldPath>>();
    for (const [other, fields] of this.#owned)
      if (other !== manager) {
        const kept = less(fields, lost);
        if (kept.size > 0) others.set(other, kept);
      }
    return others;
  }
}

/** The same set if it loses nothing. */
function less(fields: ReadonlySet<FieldPath>, lost: readonly FieldPath[]): ReadonlySet<FieldPath> {
  const present = lost.filter((path) => fields.has(path));
  if (present.length === 0) return fields;
  const kept = new Set(fields);
  for (const path of present) kept.delete(path);
  return kept;
}

function owning(
  others: Map<Manager, ReadonlySet<FieldPath>>,
  manager: Manager,
  fields: ReadonlySet<FieldPath>,
): ReadonlyMap<Manager, ReadonlySet<FieldPath>> {
  return fields.size === 0 ? others : others.set(manager, fields);
}

function isOwnedBy(others: ReadonlyMap<Manager, ReadonlySet<FieldPath>>, path: FieldPath): boolean {
  return [...others.values()].some((fields) => fields.has(path));
}

/** True when the field, or anything inside it, still has an owner. */
function isHeld(
  path: FieldPath,
  wanted: Iterable<FieldPath>,
  others: ReadonlyMap<Manager, ReadonlySet<FieldPath>>,
): boolean {
  for (const field of wanted) if (isWithin(field, path)) return true;
  return [...others.values()].some((fields) => [...fields].some((field) => isWithin(field, path)));
}
