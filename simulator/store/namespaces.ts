/**
 * The namespace controller: everything in a deleted namespace is deleted, kind by kind and in no useful order. A
 * refused deletion ends the round of its kind; what remains is retried. New objects are refused while the namespace
 * is being deleted.
 */
import type { KubeObject } from '#lib/api/json.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import { ApiError } from './api-error.ts';
import { NAMESPACE } from './builtins.ts';
import { isDeleting, metaOf, uidOf, withFinalizer, withoutFinalizer } from './object.ts';
import { refOf } from './ref.ts';
import type { Store } from './store.ts';

const MANAGER = 'kube-controller-manager';
const FINALIZER = 'kubernetes';
/** Seconds between a namespace's deletion and the first round, and between rounds. */
const LAG = 0.2;
const ROUND = 5;

export class Namespaces {
  readonly #store: Store;
  readonly #clock: Scheduler;
  readonly #ending = new Set<string>();

  constructor(store: Store, clock: Scheduler) {
    this.#store = store;
    this.#clock = clock;
    store.onCreate((object) => this.#guard(object));
    store.onChange(({ type, object }) => {
      if (object.kind !== NAMESPACE.kind || object.apiVersion !== NAMESPACE.apiVersion) return;
      if (type === 'created') store.update(withFinalizer(object, FINALIZER), MANAGER);
      if (type !== 'changed' || !isDeleting(object) || this.#ending.has(uidOf(object))) return;
      this.#ending.add(uidOf(object));
      this.#clock.after(LAG, () => this.#round(object));
    });
  }

  #guard({ metadata }: KubeObject): void {
    const name = metadata?.namespace;
    const namespace = name === undefined ? undefined : this.#store.find({ ...NAMESPACE, name });
    if (namespace === undefined || !isDeleting(namespace)) return;
    throw new ApiError('Forbidden', `unable to create new content in namespace ${name} because it is being terminated`);
  }

  #round(namespace: KubeObject): void {
    const { name = '' } = metaOf(namespace);
    const kinds = this.#store.kinds.all.filter(({ namespaced }) => namespaced);
    for (const { apiVersion, kind } of kinds) this.#deleteAll(this.#store.list({ apiVersion, kind, namespace: name }));
    const left = kinds.some(
      ({ apiVersion, kind }) => this.#store.list({ apiVersion, kind, namespace: name }).length > 0,
    );
    const present = this.#store.find({ ...NAMESPACE, name });
    if (left) this.#clock.after(ROUND, () => this.#round(namespace));
    else if (present !== undefined) this.#store.update(withoutFinalizer(present, FINALIZER), MANAGER);
  }

  #deleteAll(objects: readonly KubeObject[]): void {
    try {
      for (const object of objects)
        if (!isDeleting(object) && this.#store.find(refOf(object)) !== undefined) this.#store.delete(refOf(object));
    } catch (thrown) {
      if (!ApiError.is(thrown)) throw thrown; // the rest of the kind is deleted in the next round
    }
  }
}
