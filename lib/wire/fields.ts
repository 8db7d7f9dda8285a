/**
 * Fields of objects that are being read. They are set once all are known, in alphabetical order: Go writes them in
 * another order each time, V8 makes a shape of every order, and objects of very many shapes are slow to make and to use.
 */

/** An object with more is a map of names, which has a shape of its own in any order. */
const MOST_SORTED = 64;

/** Those of the object that is read, above those of the objects that it is in. */
export class UnsetFields<Value> {
  readonly #keys: string[] = [];
  readonly #values: (Value | undefined)[] = [];
  #count = 0;

  /** Forgets what a message that could not be read has left. */
  clear(): void {
    this.#count = 0;
  }

  /** Where the fields of an object begin that is read from now on. */
  begin(): number {
    return this.#count;
  }

  add(key: string, value: Value | undefined): void {
    // The second would set the prototype instead of a field.
    if (value === undefined || key === '__proto__') return;
    this.#keys[this.#count] = key;
    this.#values[this.#count] = value;
    this.#count += 1;
  }

  /** Sets those since `begin`. Of two with one key the last one counts. */
  setOn(object: Record<string, Value | undefined>, begin: number): void {
    if (this.#count - begin <= MOST_SORTED) this.#sort(begin);
    for (let i = begin; i < this.#count; i += 1) {
      object[this.#keys[i] ?? ''] = this.#values[i];
      this.#values[i] = undefined;
    }
    this.#count = begin;
  }

  /** Few, and in the right order if they were sorted before: each moves down until it is in its place. */
  #sort(begin: number): void {
    const keys = this.#keys;
    const values = this.#values;
    for (let i = begin + 1; i < this.#count; i += 1) {
      const key = keys[i] ?? '';
      const value = values[i];
      let at = i;
      for (; at > begin && (keys[at - 1] ?? '') > key; at -= 1) {
        keys[at] = keys[at - 1] ?? '';
        values[at] = values[at - 1];
      }
      keys[at] = key;
      values[at] = value;
    }
  }
}
