/** Keys that wait, in groups that take turns: a group with a thousand keys does not keep one with a single key waiting. */

type Group = string | undefined;

export class Turns {
  /** Groups in the order of their turns, each with its keys in the order they came. */
  readonly #groups = new Map<Group, Set<string>>();
  readonly #groupOf = new Map<string, Group>();

  get size(): number {
    return this.#groupOf.size;
  }

  has(key: string): boolean {
    return this.#groupOf.has(key);
  }

  /** A key that waits already keeps its place. */
  add(key: string, group: Group): void {
    if (this.#groupOf.has(key)) return;
    this.#groupOf.set(key, group);
    this.#groups.set(group, (this.#groups.get(group) ?? new Set()).add(key));
  }

  delete(key: string): void {
    const group = this.#groupOf.get(key);
    const keys = this.#groups.get(group);
    this.#groupOf.delete(key);
    keys?.delete(key);
    if (keys?.size === 0) this.#groups.delete(group);
  }

  clear(): void {
    this.#groups.clear();
    this.#groupOf.clear();
  }

  /** The key whose turn it is, of those that may run; it still waits. */
  next(mayRun: (key: string, group: Group) => boolean): string | undefined {
    for (const [group, keys] of this.#groups) for (const key of keys) if (mayRun(key, group)) return key;
    return undefined;
  }

  /** Takes a key away, and gives its group the last turn. */
  take(key: string): Group {
    const group = this.#groupOf.get(key);
    const keys = this.#groups.get(group);
    this.delete(key);
    this.#groups.delete(group);
    if (keys !== undefined && keys.size > 0) this.#groups.set(group, keys);
    return group;
  }
}
