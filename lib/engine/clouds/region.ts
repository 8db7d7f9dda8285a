/** Everything that exists in the simulated cloud, by id. It outlives the managed resources that made it. */
import { type Json, isJsonObject } from '#lib/api/json.ts';
import type { Thing } from './kind.ts';

export class Region {
  readonly #things = new Map<string, Thing>();

  get size(): number {
    return this.#things.size;
  }

  get things(): readonly Thing[] {
    return [...this.#things.values()];
  }

  /** By id or ARN. */
  find(id: string): Thing | undefined {
    return this.#things.get(id) ?? this.things.find(({ arn }) => arn === id);
  }

  put(thing: Thing): void {
    this.#things.set(thing.id, thing);
  }

  remove(thing: Thing): void {
    this.#things.delete(thing.id);
  }

  /** What names this object and so keeps it from being deleted; sorted by id. */
  dependentsOf({ kind, id, arn }: Thing): readonly Thing[] {
    const blockers = kind.blockedBy ?? {};
    return this.things
      .filter((other) =>
        (blockers[other.kind.kind] ?? []).some((argument) => names(other.attributes, argument.split('.'), [id, arn])),
      )
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }
}

function names(value: Json | undefined, path: readonly string[], ids: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((item: Json) => names(item, path, ids));
  const [head, ...rest] = path;
  if (head === undefined) return typeof value === 'string' && ids.includes(value);
  return isJsonObject(value) && names(value[head], rest, ids);
}
