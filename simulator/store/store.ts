/**
 * The in-memory API server: typed objects with versions, generations, finalizers and field owners. Every write is
 * validated and defaulted with the schema of the kind; a write without a change causes no event. Returned objects are
 * shared and must never be changed.
 */
import { type KubeObject, sameJson } from '#lib/api/json.ts';
import type { Dice } from '../clock/dice.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import { ApiError, notFound } from './api-error.ts';
import { type Kind, Kinds } from './kinds.ts';
import { ObjectTable } from './object-table.ts';
import { finalizersOf, isDeleting, matches, metaOf, uidOf, withMeta } from './object.ts';
import { Ledger, type Manager, applier, updater } from './ownership/ledger.ts';
import type { FieldPath } from './ownership/path.ts';
import { type ObjectRef, keyOf, refOf } from './ref.ts';
import { Writing } from './writing.ts';
import { bodyOf, identityOf, withoutServerFields, withServerFieldsOf, withStatusOf } from './server-fields.ts';
import { COLLECTOR, FOREGROUND, ORPHAN, type Propagation } from './propagation.ts';

export interface Change {
  readonly type: 'created' | 'changed' | 'deleted';
  readonly before: KubeObject | undefined;
  /** The object as it is now; for `deleted`, its last state. */
  readonly object: KubeObject;
}

export interface ListFilter {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

export interface ApplyOptions {
  readonly manager: string;
  /** Unknown fields are an error of the writer, as for kubectl; otherwise an invalid patch, as for controllers. */
  readonly strict?: boolean;
}

interface LastApply {
  readonly text: string;
  readonly uid: string;
  /** What the manager owned after it. */
  readonly fields: ReadonlySet<FieldPath> | undefined;
}

export class Store {
  readonly kinds = new Kinds();
  readonly #clock: Scheduler;
  readonly #dice: Dice;
  readonly #table = new ObjectTable();
  readonly #ledgers = new Map<string, Ledger>();
  readonly #applied = new Map<string, LastApply>();
  /** The kind that an object was defaulted and validated by. */
  readonly #storedAs = new WeakMap<KubeObject, Kind>();
  readonly #creations = new Map<string, number>();
  readonly #listeners: ((change: Change) => void)[] = [];
  readonly #guards: ((object: KubeObject, propagation: Propagation) => void)[] = [];
  readonly #creationGuards: ((object: KubeObject) => void)[] = [];
  #version = 0;

  constructor(clock: Scheduler, dice: Dice) {
    this.#clock = clock;
    this.#dice = dice;
  }

  /** Calls the listener after every change, in order. */
  onChange(listener: (change: Change) => void): void {
    this.#listeners.push(listener);
  }

  /** Called before every deletion; a guard refuses by throwing. */
  onDelete(guard: (object: KubeObject, propagation: Propagation) => void): void {
    this.#guards.push(guard);
  }

  /** Called before every creation; a guard refuses by throwing. */
  onCreate(guard: (object: KubeObject) => void): void {
    this.#creationGuards.push(guard);
  }

  find(ref: ObjectRef): KubeObject | undefined {
    return this.#table.get(keyOf(ref));
  }

  get(ref: ObjectRef): KubeObject {
    const found = this.find(ref);
    if (found === undefined) throw notFound(ref);
    return found;
  }

  withUid(uid: string): KubeObject | undefined {
    return this.#table.withUid(uid);
  }

  /** Objects with this uid among their owners, sorted by key. */
  dependentsOf(uid: string): readonly KubeObject[] {
    return this.#table.dependentsOf(uid);
  }

  /** Sorted by namespace and name. */
  list({ apiVersion, kind, namespace, labels }: ListFilter): readonly KubeObject[] {
    return this.#table
      .ofKind(apiVersion, kind)
      .filter((object) => namespace === undefined || namespace === '' || metaOf(object).namespace === namespace)
      .filter((object) => matches(object, labels));
  }

  ledgerOf(object: KubeObject): Ledger {
    return this.#ledgers.get(uidOf(object)) ?? new Ledger();
  }

  create(object: KubeObject, manager: string): KubeObject {
    const kind = this.kinds.get(object.apiVersion, object.kind);
    if (this.find(refOf(object)) !== undefined)
      throw new ApiError('AlreadyExists', `${kind.kind} "${refOf(object).name}" already exists`);
    const { status: _status, ...rest } = object;
    return this.#add(kind, kind.hasStatus ? rest : object, updater(manager), {});
  }

  /** Writes everything but status; `metadata.resourceVersion`, if set, must be the current one. */
  update(object: KubeObject, manager: string): KubeObject {
    const kind = this.kinds.get(object.apiVersion, object.kind);
    const live = this.#current(object);
    const written = kind.hasStatus ? withStatusOf(object, live) : object;
    return this.#replace(kind, live, written, updater(manager), {});
  }

  /** Writes status and nothing else. */
  updateStatus(object: KubeObject, manager: string): KubeObject {
    const kind = this.kinds.get(object.apiVersion, object.kind);
    const live = this.#current(object);
    return this.#replace(kind, live, withStatusOf(live, object), updater(manager, 'status'), {});
  }

  /** Forced server-side apply of everything but status; creates the object if it does not exist. */
  apply(intent: KubeObject, { manager, strict = false }: ApplyOptions): KubeObject {
    const kind = this.kinds.get(intent.apiVersion, intent.kind);
    const { status: _status, ...rest } = intent;
    const own = withoutServerFields(kind.hasStatus ? rest : intent);
    return this.#lay(kind, own, applier(manager), strict, intent.metadata?.uid);
  }

  /** Forced server-side apply of status; the object must exist. */
  applyStatus(intent: KubeObject, manager: string): KubeObject {
    const kind = this.kinds.get(intent.apiVersion, intent.kind);
    const { apiVersion, kind: name, metadata } = this.get(refOf(intent));
    const own = { apiVersion, kind: name, metadata: identityOf(metadata), status: intent.status ?? {} };
    return this.#lay(kind, own, applier(manager, 'status'), false);
  }

  /** Deletes the object, or marks it for deletion if it has finalizers; the garbage collector handles dependents. */
  delete(ref: ObjectRef, options: { readonly propagation?: Propagation; readonly uid?: string } = {}): void {
    const object = this.get(ref);
    const { propagation = 'Background', uid } = options;
    if (uid !== undefined && uid !== uidOf(object))
      throw new ApiError('Conflict', `the UID in the precondition (${uid}) does not match (${uidOf(object)})`);
    for (const guard of this.#guards) guard(object, propagation);
    const present = this.get(ref); // a guard may have annotated it
    const others = finalizersOf(present).filter((name) => name !== FOREGROUND && name !== ORPHAN);
    const finalizers = [...others, ...COLLECTOR[propagation]];
    if (finalizers.length === 0) return this.#remove(present);
    const marks = isDeleting(present)
      ? {}
      : { deletionTimestamp: this.#clock.stamp, generation: (metaOf(present).generation ?? 0) + 1 };
    const kind = this.kinds.get(present.apiVersion, present.kind);
    this.#commit(kind, present, withMeta(present, { finalizers, ...marks }), this.ledgerOf(present));
  }

  /** Stores an object as another API server has it, with identity and version; nothing is checked. */
  mirror(object: KubeObject): void {
    const before = this.find(refOf(object));
    this.#table.set(object);
    this.#tell({ type: before === undefined ? 'created' : 'changed', before, object });
  }

  /** The other API server no longer has it. */
  unmirror(ref: ObjectRef): void {
    const object = this.find(ref);
    if (object !== undefined) this.#remove(object);
  }

  #current(object: KubeObject): KubeObject {
    const live = this.get(refOf(object));
    const { resourceVersion, uid } = metaOf(object);
    const stale = resourceVersion !== undefined && resourceVersion !== metaOf(live).resourceVersion;
    if (stale || (uid !== undefined && uid !== uidOf(live)))
      throw new ApiError(
        'Conflict',
        `${live.kind} "${refOf(live).name}" has been modified; apply to the latest version`,
      );
    return live;
  }

  /** A patch that names a uid is for that object only. */
  #expectUid(uid: string | undefined, live: KubeObject | undefined): void {
    if (uid === undefined || uid === live?.metadata?.uid) return;
    const present = live === undefined ? 'no existing object was found' : `the existing one has ${uidOf(live)}`;
    throw new ApiError('Conflict', `uid mismatch: the provided object specified uid ${uid}, and ${present}`);
  }

  #lay(kind: Kind, own: KubeObject, manager: Manager, strict: boolean, uid?: string): KubeObject {
    const live = this.find(refOf(own));
    this.#expectUid(uid, live);
    const memory = `${keyOf(refOf(own))}|${manager}`;
    const text = JSON.stringify(own);
    const last = this.#applied.get(memory);
    // It still owns the same fields, so nobody has changed one since.
    if (live !== undefined && last?.text === text && last.uid === uidOf(live) && this.#storedAs.get(live) === kind)
      if (this.ledgerOf(live).fieldsOf(manager) === last.fields) return live;
    const writing = new Writing(kind, own, { strict, patch: true });
    const object =
      live === undefined
        ? this.#add(kind, writing.admitted, manager, { patch: true, strict })
        : this.#layOver(kind, live, writing.admitted, manager, strict);
    this.#applied.set(memory, { text, uid: uidOf(object), fields: this.ledgerOf(object).fieldsOf(manager) });
    return object;
  }

  #layOver(kind: Kind, live: KubeObject, own: KubeObject, manager: Manager, strict: boolean): KubeObject {
    const { value, ledger } = this.ledgerOf(live).apply(live, own, manager, kind.schema);
    return this.#replace(kind, live, value as KubeObject, ledger, { patch: true, strict });
  }

  #add(kind: Kind, object: KubeObject, manager: Manager, options: { patch?: boolean; strict?: boolean }): KubeObject {
    const ref = refOf(object);
    for (const guard of this.#creationGuards) guard(object);
    const next = new Writing(kind, object, options).result(undefined);
    const creations = (this.#creations.get(keyOf(ref)) ?? 0) + 1;
    const uid = this.#dice.uuid(keyOf(ref), creations);
    const created = withMeta(next, {
      uid,
      creationTimestamp: this.#clock.stamp,
      ...(kind.hasStatus ? { generation: 1 } : {}),
    });
    this.#creations.set(keyOf(ref), creations);
    const own = withoutServerFields(object);
    const ledger = manager.startsWith('apply:')
      ? new Ledger().apply({}, own, manager, kind.schema).ledger
      : new Ledger().update({}, own, manager, kind.schema);
    return this.#commit(kind, undefined, created, ledger);
  }

  #replace(
    kind: Kind,
    live: KubeObject,
    written: KubeObject,
    owner: Manager | Ledger,
    options: { patch?: boolean; strict?: boolean },
  ): KubeObject {
    const kept = withServerFieldsOf(written, live);
    if (this.#storedAs.get(live) === kind && sameJson(kept, live)) {
      if (owner instanceof Ledger) this.#ledgers.set(uidOf(live), owner);
      return live;
    }
    const next = new Writing(kind, kept, options).result(live);
    const ledger =
      owner instanceof Ledger
        ? owner
        : this.ledgerOf(live).update(withoutServerFields(live), withoutServerFields(next), owner, kind.schema);
    if (sameJson(next, live)) {
      this.#ledgers.set(uidOf(live), ledger);
      return live;
    }
    const changed = kind.hasStatus && !sameJson(bodyOf(next), bodyOf(live));
    const generation = (metaOf(live).generation ?? 1) + 1;
    return this.#commit(kind, live, changed ? withMeta(next, { generation }) : next, ledger);
  }

  #commit(kind: Kind, before: KubeObject | undefined, next: KubeObject, ledger: Ledger): KubeObject {
    const object = withMeta(next, { resourceVersion: String(++this.#version) });
    this.#ledgers.set(uidOf(object), ledger);
    this.#storedAs.set(object, kind);
    if (isDeleting(object) && finalizersOf(object).length === 0) {
      this.#remove(object);
      return object;
    }
    this.#table.set(object);
    this.#tell({ type: before === undefined ? 'created' : 'changed', before, object });
    return object;
  }

  #remove(object: KubeObject): void {
    this.#table.remove(object);
    this.#ledgers.delete(uidOf(object));
    this.#tell({ type: 'deleted', before: object, object });
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}
