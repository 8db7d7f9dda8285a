/**
 * Kubernetes' garbage collector: an object that loses its last owner is deleted; one that is deleted in the foreground
 * waits for the dependents that block it. A refused deletion is retried with growing delays, for ever.
 */
import type { KubeObject } from '#lib/api/json.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import { ApiError } from './api-error.ts';
import {
  type OwnerReference,
  finalizersOf,
  isDeleting,
  ownersOf,
  uidOf,
  withMeta,
  withoutFinalizer,
} from './object.ts';
import { refOf } from './ref.ts';
import { FOREGROUND, ORPHAN, type Propagation } from './propagation.ts';
import type { Change, Store } from './store.ts';

const MANAGER = 'kube-controller-manager';
/** Seconds between a change and the collector's reaction. */
const LAG = 0.2;
/** Seconds between attempts after a refusal: doubled each time, up to the longest. */
const RETRY = { first: 1, longest: 60 } as const;

export class Cascade {
  readonly #store: Store;
  readonly #clock: Scheduler;
  readonly #queued = new Set<string>();
  readonly #refusals = new Map<string, number>();

  constructor(store: Store, clock: Scheduler) {
    this.#store = store;
    this.#clock = clock;
    store.onChange((change) => this.#notice(change));
  }

  #notice({ type, object }: Change): void {
    const uid = uidOf(object);
    if (type === 'deleted') {
      this.#refusals.delete(uid);
      for (const dependent of this.#store.dependentsOf(uid)) this.#queue(uidOf(dependent), LAG);
      for (const owner of ownersOf(object)) this.#queueIfForeground(owner.uid);
      return;
    }
    if (isForeground(object) || isOrphaning(object)) {
      this.#queue(uid, LAG);
      return;
    }
    if (type === 'created' && ownersOf(object).some((owner) => this.#store.withUid(owner.uid) === undefined))
      this.#queue(uid, LAG);
  }

  #queueIfForeground(uid: string): void {
    const owner = this.#store.withUid(uid);
    if (owner !== undefined && isForeground(owner)) this.#queue(uid, LAG);
  }

  #queue(uid: string, seconds: number): void {
    if (this.#queued.has(uid)) return;
    this.#queued.add(uid);
    this.#clock.after(seconds, () => {
      this.#queued.delete(uid);
      const object = this.#store.withUid(uid);
      if (object !== undefined) this.#look(object);
    });
  }

  #look(object: KubeObject): void {
    if (isForeground(object)) return this.#awaitDependents(object);
    if (isOrphaning(object)) return this.#letGo(object);
    if (isDeleting(object)) return;
    const owners = ownersOf(object);
    if (owners.length === 0) return;
    const absent = owners.filter(({ uid }) => this.#store.withUid(uid) === undefined);
    const leaving = owners.filter(({ uid }) => {
      const owner = this.#store.withUid(uid);
      return owner !== undefined && isForeground(owner);
    });
    if (absent.length + leaving.length < owners.length) return this.#forget(object, [...absent, ...leaving]);
    const inForeground = leaving.length > 0 && this.#store.dependentsOf(uidOf(object)).length > 0;
    this.#delete(object, inForeground ? 'Foreground' : 'Background');
  }

  /** An object with a remaining owner stays; it only loses the references to owners that are gone or being deleted. */
  #forget(object: KubeObject, gone: readonly OwnerReference[]): void {
    if (gone.length === 0) return;
    const uids = new Set(gone.map(({ uid }) => uid));
    const kept = ownersOf(object).filter(({ uid }) => !uids.has(uid));
    this.#store.update(withMeta(object, { ownerReferences: kept }), MANAGER);
    for (const uid of uids) this.#queueIfForeground(uid);
  }

  /** Dependents stay, without this owner. */
  #letGo(object: KubeObject): void {
    const uid = uidOf(object);
    for (const dependent of this.#store.dependentsOf(uid)) {
      const kept = ownersOf(dependent).filter((owner) => owner.uid !== uid);
      this.#store.update(withMeta(dependent, { ownerReferences: kept.length === 0 ? undefined : kept }), MANAGER);
    }
    this.#store.update(withoutFinalizer(object, ORPHAN), MANAGER);
  }

  #awaitDependents(object: KubeObject): void {
    const uid = uidOf(object);
    const blocking = this.#store
      .dependentsOf(uid)
      .filter((dependent) =>
        ownersOf(dependent).some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true),
      );
    if (blocking.length === 0) {
      this.#store.update(withoutFinalizer(object, FOREGROUND), MANAGER);
      return;
    }
    for (const dependent of blocking) if (!isDeleting(dependent)) this.#queue(uidOf(dependent), LAG);
  }

  #delete(object: KubeObject, propagation: Propagation): void {
    const uid = uidOf(object);
    try {
      this.#store.delete(refOf(object), { propagation, uid });
      this.#refusals.delete(uid);
    } catch (thrown) {
      if (!ApiError.is(thrown)) throw thrown;
      const refusals = this.#refusals.get(uid) ?? 0;
      this.#refusals.set(uid, refusals + 1);
      this.#queue(uid, Math.min(RETRY.longest, RETRY.first * 2 ** refusals));
    }
  }
}

function isForeground(object: KubeObject): boolean {
  return isDeleting(object) && finalizersOf(object).includes(FOREGROUND);
}

function isOrphaning(object: KubeObject): boolean {
  return isDeleting(object) && finalizersOf(object).includes(ORPHAN);
}
