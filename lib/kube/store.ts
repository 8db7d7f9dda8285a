/** Objects of one kind, frozen: by namespace and name, and by a key that the caller reads from them. */
import type { KubeObject } from '#lib/api/json.ts';

/** A change of one object: `after` is undefined when it is gone, `before` when it is new. */
export interface Change {
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

interface Entry {
  readonly object: KubeObject;
  /** Bytes of memory. */
  readonly weight: number;
  readonly index: string | undefined;
}

export class Store {
  readonly #index: (object: KubeObject) => string | undefined;
  readonly #entries = new Map<string, Entry>();
  /** By index: names. */
  readonly #names = new Map<string, Set<string>>();
  readonly #weigh: (object: KubeObject) => number;
  #weight = 0;

  /**
   * @param index  undefined: the object is in no list by index
   * @param weigh  bytes of memory @default nothing is weighed
   */
  constructor(index: (object: KubeObject) => string | undefined, weigh: (object: KubeObject) => number = () => 0) {
    this.#index = index;
    this.#weigh = weigh;
  }

  /** Bytes of memory. */
  get weight(): number {
    return this.#weight;
  }

  clear(): void {
    this.#entries.clear();
    this.#names.clear();
    this.#weight = 0;
  }

  get(name: string, namespace?: string): KubeObject | undefined {
    return this.#entries.get(keyOf(namespace, name))?.object;
  }

  list(): readonly KubeObject[] {
    return [...this.#entries.values()].map(({ object }) => object);
  }

  byIndex(index: string): readonly KubeObject[] {
    return [...(this.#names.get(index) ?? [])].flatMap((name) => this.#entries.get(name)?.object ?? []);
  }

  /** Nothing, if it is the version that is known. Another object of the same name is two changes: one gone, one new. */
  set(object: KubeObject): readonly Change[] {
    const key = keyOf(object.metadata?.namespace, object.metadata?.name);
    const before = this.#entries.get(key)?.object;
    if (before !== undefined && before.metadata?.resourceVersion === object.metadata?.resourceVersion) return [];
    const after = frozen(object);
    const entry = { object: after, index: this.#index(after), weight: this.#weigh(after) };
    this.#remove(key);
    this.#weight += entry.weight;
    this.#entries.set(key, entry);
    if (entry.index !== undefined) this.#names.set(entry.index, (this.#names.get(entry.index) ?? new Set()).add(key));
    if (before === undefined || before.metadata?.uid === after.metadata?.uid) return [{ before, after }];
    return [
      { before, after: undefined },
      { before: undefined, after },
    ];
  }

  delete(object: KubeObject): readonly Change[] {
    return this.#remove(keyOf(object.metadata?.namespace, object.metadata?.name));
  }

  /** Deletes all others. */
  keep(objects: readonly KubeObject[]): readonly Change[] {
    const present = new Set(objects.map(({ metadata }) => keyOf(metadata?.namespace, metadata?.name)));
    return [...this.#entries.keys()].flatMap((key) => (present.has(key) ? [] : this.#remove(key)));
  }

  #remove(key: string): readonly Change[] {
    const entry = this.#entries.get(key);
    if (entry === undefined) return [];
    this.#entries.delete(key);
    this.#weight -= entry.weight;
    const names = entry.index === undefined ? undefined : this.#names.get(entry.index);
    names?.delete(key);
    if (entry.index !== undefined && names?.size === 0) this.#names.delete(entry.index);
    return [{ before: entry.object, after: undefined }];
  }
}

function keyOf(namespace: string | undefined, name: string | undefined): string {
  return `${namespace ?? ''}/${name ?? ''}`;
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
