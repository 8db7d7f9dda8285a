/** The simulated clouds: every managed resource of a known kind is reconciled, with watches, polls and back-off. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import type { Dice } from '../clock/dice.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import type { Faults } from '../interface.ts';
import type { Journal } from '../facts/journal.ts';
import type { Recorder } from '../facts/recorder.ts';
import { ApiError } from '../store/api-error.ts';
import { type ObjectRef, describeRef, keyOf, kindKey, refOf } from '../store/ref.ts';
import type { Store } from '../store/store.ts';
import type { CloudKind, CloudObject } from './kind.ts';
import { mergeSchema } from './merge-schema.ts';
import { FaultDice } from './fault-dice.ts';
import { type CloudModel, type MachineEvent, type Machines, machinesOf } from './machine.ts';
import { Provider } from './provider.ts';
import type { Again } from './provider-parts.ts';
import { Region } from './region.ts';

export interface CloudParts {
  readonly store: Store;
  readonly clock: Scheduler;
  readonly dice: Dice;
  readonly recorder: Recorder;
  readonly journal: Journal;
}

/** Seconds. */
const LAG = 0.3;
const BACK_OFF = { first: 1, longest: 60 } as const;
/** The latest time after which the provider notices that an object is gone. */
const NOTICED_WITHIN = [5, 60] as const;
/** Providers poll unchanged objects every ten minutes. */
const POLLED_WITHIN = [1, 600] as const;

export class Cloud {
  readonly #parts: CloudParts;
  readonly #kinds = new Map<string, CloudKind>();
  readonly #region = new Region();
  readonly #provider: Provider;
  readonly #due = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #machineListeners: ((event: MachineEvent) => void)[] = [];
  /** Second until which the provider does nothing. */
  #stopped = 0;
  readonly #machines: Machines;

  /** @param elsewhere  provider-node runs elsewhere, and is not played */
  constructor(parts: CloudParts, clouds: readonly CloudModel[], faults: Faults, elsewhere = false) {
    const { store, clock, dice, recorder, journal } = parts;
    this.#parts = parts;
    this.#machines = machinesOf(this.#region, clouds, (thing) => this.#deletedByMachine(thing));
    for (const kind of clouds.flatMap(({ kinds }) => kinds)) {
      this.#kinds.set(kindKey(kind.apiVersion, kind.kind), kind);
      store.kinds.defineOpen(kind.apiVersion, kind.kind, mergeSchema(kind));
    }
    this.#provider = new Provider(
      {
        store,
        clock,
        dice,
        recorder,
        journal,
        faultDice: new FaultDice(dice, faults),
        region: this.#region,
        kindNamed: (name, by) => siblingsOf(clouds, by).find(({ kind }) => kind === name),
        onThing: (change, thing) => this.#noticeThing(change, thing),
      },
      (ref) => this.#queue(ref, LAG),
    );
    store.onChange(({ type, object }) => {
      if (this.#kindOf(object) === undefined) return;
      if (type === 'deleted') this.#forget(keyOf(refOf(object)));
      else this.#queue(refOf(object), LAG);
    });
    for (const { start } of clouds)
      start?.({
        elsewhere,
        store,
        clock,
        dice,
        put: (thing) => this.#becomes(thing, 'made'),
        remove: (thing) => this.#becomes(thing, 'lost'),
      });
    for (const at of faults.providerRestarts ?? []) clock.at(at, () => this.#restart());
  }

  /** Number of cloud objects. */
  get size(): number {
    return this.#region.size;
  }

  get things(): readonly CloudObject[] {
    return this.#region.things;
  }

  /** Calls the listener when a machine starts to run, stops or is deleted. */
  onMachine(listener: (event: MachineEvent) => void): void {
    this.#machineListeners.push(listener);
  }

  /** Machines, and which of them respond at the name of a load balancer. */
  get machines(): Machines {
    return this.#machines;
  }

  /** Stops the provider for a while; operations that the cloud has begun continue. */
  stop(seconds: number): void {
    this.#stopped = this.#parts.clock.seconds + seconds;
  }

  /** Terminates a cloud object without its provider. */
  terminate(ref: ObjectRef): void {
    const resource = this.#parts.store.find(ref);
    const kind = resource === undefined ? undefined : this.#kindOf(resource);
    const thing = resource === undefined || kind === undefined ? this.#loseOwn(ref) : this.#provider.lose(resource);
    if (thing === undefined)
      throw new SlipwayError('UnknownSubject', `cannot terminate ${describeRef(ref)}: it has no cloud object`);
    this.#parts.journal.moment(ref, `${thing.id} was terminated without its provider`);
    if (kind === undefined) return;
    this.#queue(ref, this.#parts.dice.between(...NOTICED_WITHIN, 'notice', thing.id), true);
  }

  /** A driver attaches a volume to a machine, or detaches it; the provider sees it on its next poll. */
  setVolume(ref: ObjectRef, volume: string, isAttached: boolean): void {
    const resource = this.#parts.store.find(ref);
    const kind = resource === undefined ? undefined : this.#kindOf(resource);
    if (resource === undefined || kind === undefined || !this.#provider.setVolume(resource, kind, volume, isAttached))
      throw new SlipwayError('UnknownSubject', `cannot attach a volume to ${describeRef(ref)}: it has no machine`);
    this.#queue(ref, LAG);
  }

  /** A cloud object of a cloud whose provider is not like others: nobody is told. */
  #loseOwn({ kind, namespace, name }: ObjectRef): CloudObject | undefined {
    const isIts = ({ owner }: CloudObject): boolean => owner.name === name && owner.namespace === namespace;
    const thing = this.#region.things.find((one) => one.kind.kind === kind && isIts(one));
    if (thing !== undefined) this.#becomes(thing, 'lost');
    return thing;
  }

  /** The provider notices the deletion on its next poll, and would create the object again. */
  #deletedByMachine({ kind: { apiVersion, kind }, owner, id }: CloudObject): void {
    const ref = { apiVersion, kind, ...owner };
    const resource = this.#parts.store.find(ref);
    if (resource !== undefined) this.#provider.spent(resource);
    this.#queue(ref, this.#parts.dice.between(...POLLED_WITHIN, 'poll', id), true);
  }

  #kindOf({ apiVersion, kind }: KubeObject): CloudKind | undefined {
    return this.#kinds.get(kindKey(apiVersion, kind));
  }

  #restart(): void {
    const resources = [...this.#kinds.values()].flatMap(({ apiVersion, kind }) =>
      this.#parts.store.list({ apiVersion, kind }),
    );
    this.#provider.restart(resources);
  }

  #noticeThing(change: 'made' | 'changed' | 'lost', thing: CloudObject): void {
    for (const event of this.#machines.eventsOf(change, thing))
      for (const listener of this.#machineListeners) listener(event);
  }

  #becomes(thing: CloudObject, change: 'made' | 'lost'): void {
    if (change === 'made') this.#region.put(thing);
    else this.#region.remove(thing);
    this.#noticeThing(change, thing);
  }

  #forget(key: string): void {
    this.#due.delete(key);
    this.#failures.delete(key);
  }

  #queue(ref: ObjectRef, seconds: number, instead = false): void {
    const key = keyOf(ref);
    const due = this.#parts.clock.seconds + seconds;
    const known = this.#due.get(key);
    if (!instead && known !== undefined && known <= due) return;
    this.#due.set(key, due);
    this.#parts.clock.after(seconds, () => {
      if (this.#due.get(key) !== due) return;
      this.#due.delete(key);
      this.#look(ref);
    });
  }

  #look(ref: ObjectRef): void {
    const pause = this.#stopped - this.#parts.clock.seconds;
    if (pause > 0) return this.#queue(ref, pause + LAG);
    const resource = this.#parts.store.find(ref);
    const kind = resource === undefined ? undefined : this.#kindOf(resource);
    if (resource === undefined || kind === undefined) return;
    this.#follow(ref, this.#attempt(resource, kind));
  }

  #attempt(resource: KubeObject, kind: CloudKind): Again {
    try {
      return this.#provider.reconcile(resource, kind);
    } catch (thrown) {
      if (ApiError.is(thrown, 'Conflict', 'NotFound')) return 'back-off';
      throw thrown;
    }
  }

  #follow(ref: ObjectRef, again: Again): void {
    const key = keyOf(ref);
    if (again !== 'back-off') this.#failures.delete(key);
    if (again === undefined) return;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#queue(ref, Math.min(BACK_OFF.longest, BACK_OFF.first * 2 ** failures));
  }
}

/** Kinds of the same cloud, because two clouds may each have a Subnet. */
function siblingsOf(clouds: readonly CloudModel[], kind: CloudKind): readonly CloudKind[] {
  return clouds.find(({ kinds }) => kinds.includes(kind))?.kinds ?? [];
}
