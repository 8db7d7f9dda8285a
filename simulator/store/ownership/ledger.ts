/**
 * The owners of the fields of one object: what Kubernetes keeps in metadata.managedFields. If a manager applies without
 * a field that it owned, the field is removed, unless another manager owns it, too.
 */
import type { Schema } from '../schema/node.ts';
import { merged, without } from './merge.ts';
import { type FieldPath, isWithin, leavesOf } from './path.ts';

/** Name of a manager and how it writes: an applier and an updater with the same name own fields separately. */
export type Manager = string;

export const applier = (name: string, subresource = ''): Manager => `apply:${subresource}:${name}`;
export const updater = (name: string, subresource = ''): Manager => `update:${subresource}:${name}`;

export class Ledger {
  readonly #owned: ReadonlyMap<Manager, ReadonlySet<FieldPath>>;

  constructor(owned: ReadonlyMap<Manager, ReadonlySet<FieldPath>> = new Map()) {
    this.#owned = owned;
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
    const others = this.#others(manager, (path) => wanted.has(path) && wanted.get(path) !== present.get(path));
    const dropped = [...before].filter((path) => !wanted.has(path)).toSorted((a, b) => b.length - a.length);
    const isOwned = (path: FieldPath): boolean => wanted.has(path) || isOwnedBy(others, path);
    let value = merged(live, applied, schema);
    for (const path of dropped) {
      if (isHeld(path, wanted.keys(), others)) continue;
      value = without(value, path, schema, isOwned) ?? {};
    }
    return { value, ledger: new Ledger(owning(others, manager, new Set(wanted.keys()))) };
  }

  /** An update: the writer owns what it changed; what it removed has no owner. */
  update(live: unknown, written: unknown, manager: Manager, schema: Schema | undefined): Ledger {
    const before = leavesOf(live, schema);
    const after = leavesOf(written, schema);
    const touched = new Set([...after].filter(([path, value]) => before.get(path) !== value).map(([path]) => path));
    const gone = (path: FieldPath): boolean => !after.has(path);
    const others = this.#others(manager, (path) => touched.has(path) || gone(path));
    const own = [...(this.#owned.get(manager) ?? [])].filter((path) => !gone(path));
    return new Ledger(owning(others, manager, new Set([...own, ...touched])));
  }

  #others(manager: Manager, loses: (path: FieldPath) => boolean): Map<Manager, ReadonlySet<FieldPath>> {
    const others = new Map<Manager, ReadonlySet<FieldPath>>();
    for (const [other, fields] of this.#owned)
      if (other !== manager) {
        const kept = new Set([...fields].filter((path) => !loses(path)));
        if (kept.size > 0) others.set(other, kept);
      }
    return others;
  }
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
