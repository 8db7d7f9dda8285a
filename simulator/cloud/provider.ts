/**
 * A Crossplane provider built with upjet, as compositions see it: it resolves references, creates, reports, updates
 * what can be updated, refuses changes that need another object, and deletes. Operations take time and end in the
 * background; the code never waits.
 */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE, NODE_API_VERSION } from '#lib/api/words.ts';
import { DELETING, SYNCED, notSynced } from '#lib/api/conditions.ts';
import { annotationsOf, finalizersOf, isDeleting, withFinalizer, withoutFinalizer } from '../store/object.ts';
import { type ObjectRef, describeRef, refOf } from '../store/ref.ts';
import { Creations } from './creations.ts';
import { type Difference, differences } from './difference.ts';
import type { CloudKind, CloudObject } from './kind.ts';
import { type ManagedState, ManagedStates } from './managed-state.ts';
import { Operations } from './operations.ts';
import type { Again, ProviderParts } from './provider-parts.ts';
import { UnresolvedReference, resolved } from './references.ts';
import {
  AVAILABLE,
  OPERATION_DONE,
  externalName,
  initProvider,
  isKnownByPath,
  may,
  nameOf,
  operationFailed,
  withForProvider,
  withoutEmptyLists,
} from './resource.ts';
import { sensitiveValues } from './sensitive.ts';
import { StatusWriter } from './status-writer.ts';
import { Updates } from './updates.ts';
import { emptied, failsOver, withVolume, withoutVolume } from './volumes.ts';

const FINALIZER = 'finalizer.managedresource.crossplane.io';

export class Provider {
  readonly #parts: ProviderParts;
  readonly #states = new ManagedStates();
  readonly #requeue: (ref: ObjectRef) => void;
  readonly #statusWriter: StatusWriter;
  readonly #operations: Operations;
  readonly #creations: Creations;
  readonly #updates: Updates;

  constructor(parts: ProviderParts, requeue: (ref: ObjectRef) => void) {
    this.#parts = parts;
    this.#statusWriter = new StatusWriter(parts.store, parts.clock);
    this.#operations = new Operations(parts, this.#statusWriter, requeue);
    this.#creations = new Creations(parts, this.#statusWriter, this.#operations);
    this.#updates = new Updates(parts, this.#statusWriter, this.#operations, requeue);
    this.#requeue = requeue;
  }

  /** The cloud object was deleted without its provider. */
  lose(resource: KubeObject): CloudObject | undefined {
    const care = this.#states.of(resource);
    const { thing } = care;
    if (thing === undefined) return undefined;
    this.#remove(thing);
    return thing;
  }

  /** A machine has read what it boots from, and deleted it: that it is gone is no news. */
  spent(resource: KubeObject): void {
    this.#states.of(resource).isSpent = true;
    this.#parts.journal.quiet(refOf(resource));
  }

  /** A driver attaches a volume to a machine, or detaches it. */
  setVolume(resource: KubeObject, kind: CloudKind, volume: string, isAttached: boolean): CloudObject | undefined {
    const care = this.#states.of(resource);
    if (care.thing === undefined || kind.volumes === undefined) return undefined;
    this.#updates.become(
      care,
      isAttached ? withVolume(care.thing, kind.volumes, volume) : withoutVolume(care.thing, kind.volumes, volume),
    );
    return care.thing;
  }

  /** Discards every id that was not stored yet; running operations continue. */
  restart(resources: readonly KubeObject[]): void {
    for (const resource of resources) {
      const care = this.#states.of(resource);
      if (care.thing !== undefined && externalName(resource) !== nameOf(care.thing)) care.thing = undefined;
      this.#requeue(refOf(resource));
    }
  }

  reconcile(resource: KubeObject, kind: CloudKind): Again {
    if (annotationsOf(resource)[CROSSPLANE.paused] === 'true') {
      this.#statusWriter.mark(resource, [{ type: 'Synced', status: 'False', reason: 'ReconcilePaused' }]);
      return undefined;
    }
    const care = this.#states.of(resource);
    if (care.thing !== undefined) care.thing = this.#parts.region.current(care.thing);
    if (isKnownByPath(kind) || !may(resource, 'Create'))
      care.thing ??= this.#parts.region.named(kind, externalName(resource));
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
    const ours = this.#statusWriter.write(withFinalizer(written(resource, wanted), FINALIZER));
    if (care.busy || this.#parts.clock.seconds < care.rests) return undefined;
    return care.thing === undefined
      ? this.#creations.begin(ours, kind, care, { ...wanted, ...sensitive })
      : this.#observe(ours, kind, care, care.thing, wanted);
  }

  #observe(resource: KubeObject, kind: CloudKind, care: ManagedState, thing: CloudObject, wanted: JsonObject): Again {
    // A panic of the provider changes no condition, and nothing else is done.
    if (failsOver(resource, thing)) return undefined;
    const seen = { ...thing, attributes: { ...thing.attributes, ...kind.reads?.(thing, this.#parts.region.things) } };
    const ours = this.#statusWriter.write(this.#statusWriter.lateInitialized(resource, kind, seen));
    // What was late-initialised just now is told with the next call.
    const told = kind.defaulted?.(wanted) ?? wanted;
    const complete = { ...emptied(resource, thing), ...withoutEmptyLists(told) };
    const changed = may(ours, 'Update') ? differences(complete, seen.attributes) : [];
    const refused = changed.find(({ field }) =>
      kind.forceNew.some((path) => field === path || field.startsWith(`${path}.`)),
    );
    if (refused !== undefined) return this.#refuse(ours, kind, thing, refused);
    if (changed.length > 0) return this.#updates.begin(ours, { kind, care, thing, changed, wanted: complete });
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
      return this.#operations.failed(
        resource,
        care,
        'Delete',
        `failed to delete the resource: [{0 deleting ${kind.title} (${thing.id}): ${cause}  []}]`,
      );
    }
    this.#statusWriter.mark(resource, [DELETING, SYNCED]);
    this.#updates.become(care, { ...thing, outputs: { ...thing.outputs, ...kind.during?.(['deletion']) } });
    this.#operations.begin(resource, care, kind.seconds.delete, () => {
      care.thing = undefined;
      this.#parts.journal.count('cloudDeleted', kind.kind);
      this.#judge(thing);
      this.#remove(thing);
    });
    return undefined;
  }

  /** With its parts; a disk also from the machine that it is attached to. */
  #remove(thing: CloudObject): void {
    const { region, onThing } = this.#parts;
    if (thing.kind.isDetached === true)
      for (const machine of region.things)
        if (machine.kind.volumes !== undefined) region.put(withoutVolume(machine, machine.kind.volumes, thing.id));
    const parts = region.partsOf(thing);
    region.remove(thing);
    for (const part of parts) this.#remove(part);
    onThing('lost', thing);
  }

  /** Nothing that a node needs is deleted before the node. */
  #judge(thing: CloudObject): void {
    const { region, store, journal } = this.#parts;
    const machine = thing.kind.neededBy?.(thing, region.things);
    if (machine === undefined) return;
    const node = store.find({ apiVersion: NODE_API_VERSION, kind: 'WorkloadNode', ...machine.owner });
    if (node !== undefined)
      journal.violation(`${thing.kind.kind} ${thing.owner.name} is deleted before the node of ${machine.owner.name}`);
  }
}

/** Each write drops empty lists, in both parts. */
function written(resource: KubeObject, wanted: JsonObject): KubeObject {
  const initial = withoutEmptyLists(initProvider(resource));
  const ours = withForProvider(resource, withoutEmptyLists(wanted));
  return resource.spec?.['initProvider'] === undefined
    ? ours
    : { ...ours, spec: { ...ours.spec, initProvider: initial } };
}
