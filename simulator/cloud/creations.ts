/** How a provider makes what is not there: asks the cloud, waits, and remembers what it made. */
import { type JsonObject, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import { notSynced, SYNCED } from '#lib/api/conditions.ts';
import { metaOf, withAnnotations } from '../store/object.ts';
import { describeRef, type ObjectRef, refOf } from '../store/ref.ts';
import { refusedImage } from './boot-image.ts';
import type { CloudKind } from './kind.ts';
import type { ManagedState } from './managed-state.ts';
import { refusedName } from './names.ts';
import { newThing } from './new-thing.ts';
import type { Operations } from './operations.ts';
import type { Again, ProviderParts } from './provider-parts.ts';
import {
  CREATE_PENDING,
  CREATING,
  externalName,
  initProvider,
  isKnownByPath,
  may,
  withoutEmptyLists,
} from './resource.ts';
import type { StatusWriter } from './status-writer.ts';

export class Creations {
  readonly #parts: ProviderParts;
  readonly #statusWriter: StatusWriter;
  readonly #operations: Operations;

  constructor(parts: ProviderParts, statusWriter: StatusWriter, operations: Operations) {
    this.#parts = parts;
    this.#statusWriter = statusWriter;
    this.#operations = operations;
  }

  begin(resource: KubeObject, kind: CloudKind, care: ManagedState, wanted: JsonObject): Again {
    if (!may(resource, 'Create')) return this.#leaveAbsent(resource);
    const { faultDice, region } = this.#parts;
    const arguments_ = { ...initProvider(resource), ...withoutEmptyLists(wanted) };
    const cause =
      faultDice.refusal('create', describeRef(refOf(resource)), care.attempts) ??
      refusedName(kind.names, stringAt(arguments_, 'name') ?? externalName(resource) ?? metaOf(resource).name ?? '') ??
      kind.refuses?.(arguments_, (id) => region.find(id)) ??
      refusedImage(this.#parts.store, kind, arguments_) ??
      this.#foundAlready(kind, arguments_) ??
      this.#lackOf(resource, kind, care, arguments_);
    if (cause !== undefined)
      return this.#operations.failed(
        resource,
        care,
        'Create',
        `failed to create the resource: [{0 creating ${kind.title}: ${cause}  []}]`,
      );
    const pending = this.#statusWriter.write(withAnnotations(resource, { [CREATE_PENDING]: this.#parts.clock.stamp }));
    this.#statusWriter.mark(pending, [CREATING, SYNCED]);
    this.#operations.begin(pending, care, kind.seconds.create, () =>
      this.#created(refOf(pending), kind, care, arguments_),
    );
    return undefined;
  }

  /** An error only where nothing but Observe is allowed. */
  #leaveAbsent(resource: KubeObject): Again {
    const isError = !may(resource, 'Delete') && !may(resource, 'Update');
    const absent = notSynced('observe failed: external resource does not exist');
    this.#statusWriter.mark(resource, [isError ? absent : SYNCED]);
    return isError ? 'back-off' : undefined;
  }

  /** An object that the provider did not call so itself is not its own. */
  #foundAlready(kind: CloudKind, attributes: JsonObject): string | undefined {
    const path = isKnownByPath(kind) ? kind.arn('', attributes) : undefined;
    if (path === undefined || this.#parts.region.named(kind, path) === undefined) return undefined;
    return `A resource with the ID "${path}" already exists - to be managed via Terraform this resource needs to be imported into the State.`;
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
    const thing = newThing(resource, kind, attributes, { dice, region });
    const duplicate = region.things.find((other) => other.kind === kind && sameJson(other.owner, thing.owner));
    if (duplicate !== undefined)
      journal.violation(`${describeRef(ref)} has two cloud objects: ${duplicate.id} and ${thing.id}`);
    if (care.creations > 1) journal.moment(ref, cameBack(care, thing.id));
    region.put(thing);
    care.thing = thing;
    journal.count('cloudCreated', kind.kind);
    this.#parts.onThing('made', thing);
  }
}

/** The functions would have deleted its managed resource if its machine were a node. */
function cameBack({ isSpent }: ManagedState, id: string): string {
  return isSpent ? `made again as ${id}: the machine that read and deleted it is no node yet` : `came back as ${id}`;
}
