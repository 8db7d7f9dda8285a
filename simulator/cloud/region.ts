/**
 * Everything that exists in the simulated cloud, by kind and id: a role and an instance profile may share a name, which
 * is their id. It outlives the managed resources that created it.
 */
import { type Json, isJsonObject } from '#lib/api/json.ts';
import type { CloudKind, CloudObject } from './kind.ts';

export class Region {
  readonly #things = new Map<string, CloudObject>();
  /** How many objects were created, by kind and owner. */
  readonly #creations = new Map<string, number>();

  get size(): number {
    return this.#things.size;
  }

  get things(): readonly CloudObject[] {
    return [...this.#things.values()];
  }

  /** By id or ARN. */
  find(id: string): CloudObject | undefined {
    for (const thing of this.#things.values()) if (thing.id === id || thing.arn === id) return thing;
    return undefined;
  }

  /** What somebody else made, by the name that a managed resource gives it: an id or, if it is one, an ARN. */
  named(kind: CloudKind, name: string | undefined): CloudObject | undefined {
    if (name === undefined) return undefined;
    const partOf = typeof kind.knownByPath === 'function' ? kind.knownByPath : (arn: string) => arn;
    const isMeant = ({ id, arn }: CloudObject): boolean => id === name || partOf(arn) === partOf(name);
    return this.things.find((thing) => thing.kind === kind && isMeant(thing));
  }

  /** Whether this same object still exists. */
  has(thing: CloudObject): boolean {
    return this.#things.has(keyOf(thing));
  }

  /** The object as it is now; undefined if it does not exist any more. */
  current(thing: CloudObject): CloudObject | undefined {
    return this.#things.get(keyOf(thing));
  }

  put(thing: CloudObject): void {
    this.#things.set(keyOf(thing), thing);
  }

  remove(thing: CloudObject): void {
    this.#things.delete(keyOf(thing));
  }

  /** @returns how many objects were created under the name of this owner, with the one that is created now */
  countCreation({ apiVersion, kind }: CloudKind, { name, namespace }: CloudObject['owner']): number {
    const key = `${apiVersion}/${kind}/${namespace}/${name}`;
    const creations = (this.#creations.get(key) ?? 0) + 1;
    this.#creations.set(key, creations);
    return creations;
  }

  /** Objects that the cloud deletes with this one. */
  partsOf({ kind, id, arn }: CloudObject): readonly CloudObject[] {
    const takes = kind.takes ?? {};
    return this.things.filter(({ kind: { kind: other }, attributes }) => {
      const argument = takes[other];
      return argument !== undefined && names(attributes, argument.split('.'), [id, arn]);
    });
  }

  /** Objects that name this one and so block its deletion; sorted by id. */
  dependentsOf({ kind, id, arn }: CloudObject): readonly CloudObject[] {
    const blockers = kind.blockedBy ?? {};
    return this.things
      .filter((other) =>
        (blockers[other.kind.kind] ?? []).some((argument) => names(other.attributes, argument.split('.'), [id, arn])),
      )
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }
}

function keyOf({ kind, id }: CloudObject): string {
  return `${kind.apiVersion}/${kind.kind}/${id}`;
}

function names(value: Json | undefined, path: readonly string[], ids: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((item: Json) => names(item, path, ids));
  const [head, ...rest] = path;
  if (head === undefined) return typeof value === 'string' && ids.includes(value);
  return isJsonObject(value) && names(value[head], rest, ids);
}
