/** Objects by key, kind, uid and owner: only an index, without decisions. */
import type { KubeObject } from '#lib/api/json.ts';
import { metaOf, ownersOf, uidOf } from './object.ts';
import { keyOf, kindKey, refOf } from './ref.ts';

export class ObjectTable {
  readonly #byKind = new Map<string, Map<string, KubeObject>>();
  readonly #byUid = new Map<string, KubeObject>();
  /** Keys of dependents by uid of their owner. */
  readonly #dependents = new Map<string, Set<string>>();
  readonly #sorted = new Map<string, readonly KubeObject[]>();

  get(key: string): KubeObject | undefined {
    return this.#byKind.get(key.slice(0, key.indexOf('|')))?.get(key);
  }

  withUid(uid: string): KubeObject | undefined {
    return this.#byUid.get(uid);
  }

  ofKind(apiVersion: string, kind: string): readonly KubeObject[] {
    const name = kindKey(apiVersion, kind);
    const known = this.#sorted.get(name);
    if (known !== undefined) return known;
    const sorted = [...(this.#byKind.get(name)?.values() ?? [])].toSorted(byNamespaceAndName);
    this.#sorted.set(name, sorted);
    return sorted;
  }

  dependentsOf(uid: string): readonly KubeObject[] {
    return [...(this.#dependents.get(uid) ?? [])]
      .toSorted()
      .map((key) => this.get(key))
      .filter((object) => object !== undefined);
  }

  set(object: KubeObject): void {
    const key = keyOf(refOf(object));
    const kind = kindKey(object.apiVersion, object.kind);
    this.#unlink(this.get(key));
    const objects = this.#byKind.get(kind) ?? new Map<string, KubeObject>();
    this.#byKind.set(kind, objects.set(key, object));
    this.#byUid.set(uidOf(object), object);
    for (const { uid } of ownersOf(object)) {
      const keys = this.#dependents.get(uid) ?? new Set<string>();
      this.#dependents.set(uid, keys.add(key));
    }
    this.#sorted.delete(kind);
  }

  remove(object: KubeObject): void {
    const key = keyOf(refOf(object));
    const kind = kindKey(object.apiVersion, object.kind);
    this.#unlink(this.get(key));
    this.#byKind.get(kind)?.delete(key);
    this.#byUid.delete(uidOf(object));
    this.#sorted.delete(kind);
  }

  #unlink(object: KubeObject | undefined): void {
    if (object === undefined) return;
    for (const { uid } of ownersOf(object)) this.#dependents.get(uid)?.delete(keyOf(refOf(object)));
  }
}

function byNamespaceAndName(left: KubeObject, right: KubeObject): number {
  const a = `${metaOf(left).namespace ?? ''}/${metaOf(left).name ?? ''}`;
  const b = `${metaOf(right).namespace ?? ''}/${metaOf(right).name ?? ''}`;
  return a < b ? -1 : a > b ? 1 : 0;
}
