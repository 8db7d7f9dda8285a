/** How a provider changes what is there: a machine may have to be stopped for it, and is not always started again. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { SYNCED } from '#lib/api/conditions.ts';
import { describeRef, type ObjectRef, refOf } from '../store/ref.ts';
import { refusedImage } from './boot-image.ts';
import type { Difference } from './difference.ts';
import type { CloudKind, CloudObject } from './kind.ts';
import type { ManagedState } from './managed-state.ts';
import type { Operations } from './operations.ts';
import type { Again, ProviderParts } from './provider-parts.ts';
import { AVAILABLE } from './resource.ts';
import type { StatusWriter } from './status-writer.ts';

/** Seconds. */
const QUICK = [1, 3] as const;
const REST = 2;

/** One object and what is to become of it. */
export interface Change {
  readonly kind: CloudKind;
  readonly care: ManagedState;
  readonly thing: CloudObject;
  readonly changed: readonly Difference[];
  readonly wanted: JsonObject;
}

export class Updates {
  readonly #parts: ProviderParts;
  readonly #statusWriter: StatusWriter;
  readonly #operations: Operations;
  readonly #requeue: (ref: ObjectRef) => void;

  constructor(
    parts: ProviderParts,
    statusWriter: StatusWriter,
    operations: Operations,
    requeue: (ref: ObjectRef) => void,
  ) {
    this.#parts = parts;
    this.#requeue = requeue;
    this.#statusWriter = statusWriter;
    this.#operations = operations;
  }

  begin(resource: KubeObject, change: Change): Again {
    const { kind, care, thing, changed, wanted } = change;
    const { store, faultDice, region } = this.#parts;
    const fields = changed.map(({ field }) => field);
    const refused = kind.refusesChange?.(fields, wanted);
    if (refused !== undefined) return this.#failed(resource, change, refused);
    const felt = kind.during?.(fields);
    const meanwhile = felt === undefined ? thing : { ...thing, outputs: { ...thing.outputs, ...felt } };
    const cause =
      faultDice.refusal('update', describeRef(refOf(resource)), care.attempts) ?? refusedImage(store, kind, wanted);
    this.become(care, meanwhile);
    if (cause !== undefined) return this.#failed(resource, change, cause);
    const starts = isStarted(change, fields, felt !== undefined);
    const outputs = { ...meanwhile.outputs, ...(starts ? running(kind) : {}) };
    const idle = starts && felt === undefined ? this.#lackOf(resource, change) : undefined;
    if (idle !== undefined) return this.#failed(resource, change, idle);
    this.#statusWriter.report(resource, kind, meanwhile, [AVAILABLE, SYNCED]);
    this.#operations.begin(resource, care, felt === undefined ? QUICK : kind.seconds.update, () => {
      if (care.thing === undefined || !region.has(care.thing)) return;
      const lack = starts ? this.#lackOf(resource, change) : undefined;
      const attributes = { ...thing.attributes, ...wanted };
      this.become(care, { ...thing, attributes, outputs: lack === undefined ? outputs : meanwhile.outputs });
      const current = store.find(refOf(resource));
      if (lack !== undefined && current !== undefined) this.#failedLater(current, change, lack);
    });
    return undefined;
  }

  become(care: ManagedState, thing: CloudObject): void {
    if (care.thing === thing) return;
    care.thing = thing;
    this.#parts.region.put(thing);
    this.#parts.onThing('changed', thing);
  }

  /** Why a machine with the new size does not start now. */
  #lackOf(resource: KubeObject, { kind, care, thing, wanted }: Change): string | undefined {
    const { region, faultDice, clock, dice } = this.#parts;
    const room = kind.room?.({ ...thing.attributes, ...wanted }, (id) => region.find(id));
    if (room === undefined || !faultDice.lacksCapacity(room, clock.seconds)) return undefined;
    return room.refusal(dice.hex(32, 'request', describeRef(refOf(resource)), care.attempts));
  }

  /** After the answer to the call: its condition stays until the provider looks again. */
  #failedLater(resource: KubeObject, change: Change, cause: string): void {
    const { clock } = this.#parts;
    change.care.rests = clock.seconds + REST;
    clock.after(REST, () => this.#requeue(refOf(resource)));
    this.#failed(resource, change, cause);
  }

  #failed(resource: KubeObject, { kind, care, thing }: Change, cause: string): Again {
    this.#statusWriter.report(resource, kind, care.thing ?? thing, [AVAILABLE]);
    return this.#operations.failed(
      this.#parts.store.find(refOf(resource)) ?? resource,
      care,
      'Update',
      `failed to update the resource: [{0 updating ${kind.title} (${thing.id}): ${cause}  []}]`,
    );
  }
}

/** A machine that this attempt stopped, or one that was off and is told to run. */
function isStarted({ kind: { power }, thing, wanted }: Change, fields: readonly string[], isStopped: boolean): boolean {
  if (power === undefined) return isStopped;
  const isAsked = power.argument !== undefined && fields.includes(power.argument);
  if (!isStopped && !isAsked) return false;
  return thing.outputs[power.output] === power.on || power.starts(wanted);
}

function running({ power }: CloudKind): JsonObject {
  return power === undefined ? {} : { [power.output]: power.on };
}
