/**
 * A Crossplane provider built with upjet, as compositions see it: it resolves references, creates, reports, updates
 * what can be updated, refuses changes that need another object, and deletes. Operations take time and end in the
 * background; the code never waits.
 */
import { type JsonObject, type KubeObject, sameJson } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Dice } from '../clock/dice.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import type { Journal } from '../facts/journal.ts';
import type { Recorder } from '../facts/recorder.ts';
import {
  annotationsOf,
  finalizersOf,
  isDeleting,
  withAnnotations,
  withFinalizer,
  withoutFinalizer,
} from '../store/object.ts';
import { type ObjectRef, describeRef, refOf } from '../store/ref.ts';
import type { Store } from '../store/store.ts';
import { ManagedStates, type ManagedState } from './managed-state.ts';
import { newThing } from './new-thing.ts';
import { emptied, withVolume, withoutVolume } from './volumes.ts';
import { StatusWriter } from './status-writer.ts';
import { type Difference, differences } from './difference.ts';
import type { CloudKind, CloudObject } from './kind.ts';
import type { FaultDice } from './fault-dice.ts';
import { type KindNamed, UnresolvedReference, resolved } from './references.ts';
import { sensitiveValues } from './sensitive.ts';
import type { Region } from './region.ts';
import { DELETING, SYNCED, notSynced } from '#lib/api/conditions.ts';
import {
  AVAILABLE,
  CREATE_PENDING,
  CREATING,
  OPERATION_DONE,
  externalName,
  initProvider,
  may,
  operationFailed,
  withoutEmptyLists,
  withForProvider,
} from './resource.ts';

const FINALIZER = 'finalizer.managedresource.crossplane.io';
/** Seconds. */
const QUICK = [1, 3] as const;

export interface ProviderParts {
  readonly store: Store;
  readonly clock: Scheduler;
  readonly dice: Dice;
  readonly recorder: Recorder;
  readonly journal: Journal;
  readonly faultDice: FaultDice;
  readonly region: Region;
  readonly kindNamed: KindNamed;
  /** Called when the cloud created, changed or lost an object. */
  readonly onThing: (change: 'made' | 'changed' | 'lost', thing: CloudObject) => void;
}

/** When to reconcile again: with growing delays, or when something changes. */
export type Again = 'back-off' | undefined;

export class Provider {
  readonly #parts: ProviderParts;
  readonly #states = new ManagedStates();
  readonly #requeue: (ref: ObjectRef) => void;
  readonly #statusWriter: StatusWriter;

  constructor(parts: ProviderParts, requeue: (ref: ObjectRef) => void) {
    this.#parts = parts;
    this.#statusWriter = new StatusWriter(parts.store, parts.clock);
    this.#requeue = requeue;
  }

  /** The cloud object was deleted without its provider. */
  lose(resource: KubeObject): CloudObject | undefined {
    const care = this.#states.of(resource);
    const { thing } = care;
    if (thing === undefined) return undefined;
    this.#parts.region.remove(thing);
    this.#parts.onThing('lost', thing);
    return thing;
  }

  /** A driver attaches a volume to a machine, or detaches it. */
  setVolume(resource: KubeObject, kind: CloudKind, volume: string, isAttached: boolean): CloudObject | undefined {
    const care = this.#states.of(resource);
    if (care.thing === undefined || kind.volumes === undefined) return undefined;
    this.#become(
      care,
      isAttached ? withVolume(care.thing, kind.volumes, volume) : withoutVolume(care.thing, kind.volumes, volume),
    );
    return care.thing;
  }

  /** Discards every id that was not stored yet; running operations continue. */
  restart(resources: readonly KubeObject[]): void {
    for (const resource of resources) {
      const care = this.#states.of(resource);
      if (care.thing !== undefined && externalName(resource) !== care.thing.id) care.thing = undefined;
      this.#requeue(refOf(resource));
    }
  }

  reconcile(resource: KubeObject, kind: CloudKind): Again {
    if (annotationsOf(resource)[CROSSPLANE.paused] === 'true') {
      this.#statusWriter.mark(resource, [{ type: 'Synced', status: 'False', reason: 'ReconcilePaused' }]);
      return undefined;
    }
    const care = this.#states.of(resource);
    if (care.thing !== undefined && !this.#parts.region.has(care.thing)) care.thing = undefined;
    if (!may(resource, 'Create')) care.thing ??= this.#parts.region.named(kind, externalName(resource));
    if (isDeleting(resource)) return this.#delete(resource, kind, care);
    let wanted: JsonObject;
    let sensitive: JsonObject;
    try {
      wanted = resolved(this.#parts.store, resource, kind, this.#parts.kindNamed);
      sensitive = sensitiveValues(this.#parts.store, resource, kind);
    } catch (thrown) {
      if (!(thrown instanceof UnresolvedReference)) throw thrown;
      this.#statusWriter.mark(resource, [notSynced(`cannot resolve references: ${thrown.message}`)]);
      return 'back-off';
    }
    const ours = this.#statusWriter.write(withFinalizer(withForProvider(resource, wanted), FINALIZER));
    if (care.busy) return undefined;
    return care.thing === undefined
      ? this.#create(ours, kind, care, { ...wanted, ...sensitive })
      : this.#observe(ours, kind, care, care.thing, wanted);
  }

  #create(resource: KubeObject, kind: CloudKind, care: ManagedState, wanted: JsonObject): Again {
    if (!may(resource, 'Create')) {
      this.#statusWriter.mark(resource, [notSynced('observe failed: external resource does not exist')]);
      return 'back-off';
    }
    const { faultDice, region } = this.#parts;
    const arguments_ = { ...initProvider(resource), ...withoutEmptyLists(wanted) };
    const cause =
      faultDice.refusal('create', describeRef(refOf(resource)), care.attempts) ??
      kind.refuses?.(arguments_, (id) => region.find(id)) ??
      this.#lackOf(resource, kind, care, arguments_);
    if (cause !== undefined)
      return this.#failed(
        resource,
        care,
        'Create',
        `failed to create the resource: [{0 creating ${kind.title}: ${cause}  []}]`,
      );
    const pending = this.#statusWriter.write(withAnnotations(resource, { [CREATE_PENDING]: this.#parts.clock.stamp }));
    this.#statusWriter.mark(pending, [CREATING, SYNCED]);
    this.#begin(pending, care, kind.seconds.create, () => this.#created(refOf(pending), kind, care, arguments_));
    return undefined;
  }

  /** Why the zone has no capacity for it now. */
  #lackOf(resource: KubeObject, kind: CloudKind, care: ManagedState, attributes: JsonObject): string | undefined {
    const { faultDice, region, clock, dice } = this.#parts;
    const room = kind.room?.(attributes, (id) => region.find(id));
    if (room === undefined || !faultDice.lacksCapacity(room, clock.seconds)) return undefined;
    return room.refusal(dice.hex(32, 'request', describeRef(refOf(resource)), care.attempts));
  }

  #created(ref: ObjectRef, kind: CloudKind, care: ManagedState, attributes: JsonObject): void {
    const { region, journal, dice } = this.#parts;
    const resource = this.#parts.store.find(ref);
    if (resource === undefined) return;
    care.creations++;
    const thing = newThing(resource, kind, care.creations, attributes, { dice, region });
    const duplicate = region.things.find((other) => other.kind === kind && sameJson(other.owner, thing.owner));
    if (duplicate !== undefined)
      journal.violation(`${describeRef(ref)} has two cloud objects: ${duplicate.id} and ${thing.id}`);
    if (care.creations > 1) journal.moment(ref, `came back as ${thing.id}`);
    region.put(thing);
    care.thing = thing;
    journal.count('cloudCreated', kind.kind);
    this.#parts.onThing('made', thing);
  }

  #observe(resource: KubeObject, kind: CloudKind, care: ManagedState, thing: CloudObject, wanted: JsonObject): Again {
    const ours = this.#statusWriter.write(this.#statusWriter.lateInitialized(resource, kind, thing));
    // What was late-initialised just now is told with the next call.
    const complete = { ...emptied(resource, thing), ...withoutEmptyLists(wanted) };
    const changed = may(ours, 'Update') ? differences(complete, thing.attributes) : [];
    const refused = changed.find(({ field }) =>
      kind.forceNew.some((path) => field === path || field.startsWith(`${path}.`)),
    );
    if (refused !== undefined) return this.#refuse(ours, kind, thing, refused);
    if (changed.length > 0) return this.#update(ours, kind, care, thing, changed, complete);
    this.#statusWriter.report(ours, kind, thing, [AVAILABLE, SYNCED, OPERATION_DONE]);
    return undefined; // this cloud reports every change to the provider, so it need not poll
  }

  /** An argument that cannot be changed blocks every other change of the object, and Ready does not change. */
  #refuse(resource: KubeObject, kind: CloudKind, thing: CloudObject, { argument, before, after }: Difference): Again {
    const message = `async update failed: refuse to update the external resource because the following update requires replacing it: cannot change the value of the argument "${argument}" from "${before}" to "${after}"`;
    this.#parts.recorder.event(resource, 'Warning', 'CannotUpdateExternalResource', message);
    this.#statusWriter.report(resource, kind, thing, [
      AVAILABLE,
      notSynced(`update failed: ${message}`),
      operationFailed('Update', message),
    ]);
    return 'back-off';
  }

  #update(
    resource: KubeObject,
    kind: CloudKind,
    care: ManagedState,
    thing: CloudObject,
    changed: readonly Difference[],
    wanted: JsonObject,
  ): Again {
    const ref = refOf(resource);
    const fields = changed.map(({ field }) => field);
    const cause =
      this.#parts.faultDice.refusal('update', describeRef(ref), care.attempts) ?? kind.refusesChange?.(fields, wanted);
    if (cause !== undefined)
      return this.#failed(
        resource,
        care,
        'Update',
        `failed to update the resource: [{0 updating ${kind.title} (${thing.id}): ${cause}  []}]`,
      );
    const felt = kind.during?.(fields);
    const meanwhile = felt === undefined ? thing : { ...thing, outputs: { ...thing.outputs, ...felt } };
    this.#become(care, meanwhile);
    this.#statusWriter.report(resource, kind, meanwhile, [AVAILABLE, SYNCED]);
    this.#begin(resource, care, felt === undefined ? QUICK : kind.seconds.update, () => {
      if (care.thing === undefined || !this.#parts.region.has(care.thing)) return;
      this.#become(care, { ...thing, attributes: { ...thing.attributes, ...wanted } });
    });
    return undefined;
  }

  #become(care: ManagedState, thing: CloudObject): void {
    if (care.thing === thing) return;
    care.thing = thing;
    this.#parts.region.put(thing);
    this.#parts.onThing('changed', thing);
  }

  #delete(resource: KubeObject, kind: CloudKind, care: ManagedState): Again {
    if (care.busy) return undefined;
    const { thing } = care;
    if (thing === undefined || !may(resource, 'Delete')) {
      this.#states.forget(resource);
      this.#statusWriter.write(withoutFinalizer(resource, FINALIZER));
      return undefined;
    }
    if (finalizersOf(resource).some((name) => name !== FINALIZER && name !== 'foregroundDeletion')) return 'back-off';
    const dependents = this.#parts.region.dependentsOf(thing);
    const cause =
      dependents.length > 0
        ? `api error DependencyViolation: ${thing.id} has dependencies and cannot be deleted: ${dependents.map(({ id }) => id).join(', ')}`
        : (kind.refusesDeletion?.(thing.attributes, thing.id) ??
          this.#parts.faultDice.refusal('delete', describeRef(refOf(resource)), care.attempts));
    if (cause !== undefined) {
      return this.#failed(
        resource,
        care,
        'Delete',
        `failed to delete the resource: [{0 deleting ${kind.title} (${thing.id}): ${cause}  []}]`,
      );
    }
    this.#statusWriter.mark(resource, [DELETING, SYNCED]);
    this.#become(care, { ...thing, outputs: { ...thing.outputs, ...kind.during?.(['deletion']) } });
    this.#begin(resource, care, kind.seconds.delete, () => {
      this.#parts.region.remove(thing);
      care.thing = undefined;
      this.#parts.journal.count('cloudDeleted', kind.kind);
      this.#parts.onThing('lost', thing);
    });
    return undefined;
  }

  /** Begins an operation, and ends it when its time is over. */
  #begin(resource: KubeObject, care: ManagedState, range: readonly [number, number], end: () => void): void {
    const ref = refOf(resource);
    care.busy = true;
    this.#parts.clock.after(this.#parts.faultDice.seconds(range, describeRef(ref), care.attempts++), () => {
      care.busy = false;
      end();
      this.#requeue(ref);
    });
  }

  #failed(resource: KubeObject, care: ManagedState, operation: 'Create' | 'Update' | 'Delete', cause: string): Again {
    care.attempts++;
    const message = `async ${operation.toLowerCase()} failed: ${cause}`;
    this.#parts.recorder.event(resource, 'Warning', `Cannot${operation}ExternalResource`, message);
    const ready = { Create: [CREATING], Update: [], Delete: [DELETING] }[operation];
    this.#statusWriter.mark(resource, [
      ...ready,
      notSynced(`${operation.toLowerCase()} failed: ${message}`),
      operationFailed(operation, message),
    ]);
    return 'back-off';
  }
}
