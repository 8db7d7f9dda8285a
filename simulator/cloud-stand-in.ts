/**
 * The simulated clouds and machines behind an API server other than the embedded one: they receive its objects, and a
 * listener gets what the providers write. Another one gets the Nodes that the machines become: provider-node is real
 * there. The caller passes real time; a speedup shortens minutes in a cloud to seconds.
 */
import type { KubeObject } from '#lib/api/json.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import { Dice } from './clock/dice.ts';
import { Scheduler } from './clock/scheduler.ts';
import { Cloud } from './cloud/cloud.ts';
import type { CloudModel, MachineEvent } from './cloud/machine.ts';
import type { Moment } from './facts/facts.ts';
import { Journal, type Tally } from './facts/journal.ts';
import { Recorder } from './facts/recorder.ts';
import type { Faults } from './interface.ts';
import { type NodesChanged, Workloads } from './nodes/workloads.ts';
import { SECRET, defineBuiltins } from './store/builtins.ts';
import type { ObjectRef } from './store/ref.ts';
import { Store } from './store/store.ts';

export interface CloudStandInOptions {
  readonly start: Date;
  readonly seed: number;
  /** How many times faster than real clouds. */
  readonly speedup: number;
  readonly clouds: readonly CloudModel[];
  readonly faults?: Faults;
  readonly onNodes: NodesChanged;
}

interface Named {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The kinds that providers manage. */
export function managedKinds(clouds: readonly CloudModel[]): readonly Named[] {
  return [
    ...clouds.flatMap(({ kinds }) => kinds).map(({ apiVersion, kind }) => ({ apiVersion, kind })),
    { apiVersion: NODE_API_VERSION, kind: 'WorkloadNode' },
  ];
}

/** Kinds that providers write, provider-node included. */
export function writtenKinds(clouds: readonly CloudModel[]): readonly Named[] {
  const configurations = ['ProviderConfig', 'ClusterProviderConfig', 'ProviderConfigUsage'];
  return [...managedKinds(clouds), ...configurations.map((kind) => ({ apiVersion: NODE_API_VERSION, kind })), SECRET];
}

/** Kinds the stand-in may write; it must receive them, too. */
export function cloudKinds(clouds: readonly CloudModel[]): readonly Named[] {
  const managed = clouds.flatMap(({ kinds }) => kinds).map(({ apiVersion, kind }) => ({ apiVersion, kind }));
  return [...managed, ...clouds.flatMap(({ owned = [] }) => owned), SECRET];
}

/** Called with what a provider wrote. @param isNew  it created the object, with a uid that only this store knows */
export type Written = (object: KubeObject, isNew: boolean) => void;

export class CloudStandIn {
  readonly #clock: Scheduler;
  readonly #store: Store;
  readonly #journal: Journal;
  readonly #cloud: Cloud;
  /** True while objects of the other server are copied in; these are not writes of a provider. */
  #listening = true;

  constructor({ start, seed, speedup, clouds, faults = {}, onNodes }: CloudStandInOptions) {
    const dice = new Dice(seed);
    this.#clock = new Scheduler(start, speedup);
    this.#store = new Store(this.#clock, dice);
    defineBuiltins(this.#store.kinds);
    for (const { apiVersion, kind } of clouds.flatMap(({ owned = [] }) => owned))
      this.#store.kinds.defineOpen(apiVersion, kind);
    this.#journal = new Journal(this.#clock, this.#store);
    const recorder = new Recorder(this.#clock, (event) => this.#journal.event(event));
    const parts = { store: this.#store, clock: this.#clock, dice, recorder, journal: this.#journal };
    this.#cloud = new Cloud(parts, clouds, faults, true);
    void new Workloads(parts, this.#cloud, faults, {}, onNodes); // runs by its watches
  }

  onWritten(listener: Written): void {
    this.#store.onChange(({ type, object }) => {
      if (this.#listening) listener(object, type === 'created');
    });
  }

  present(object: KubeObject): void {
    this.#quietly(() => this.#store.mirror(object));
  }

  gone(ref: ObjectRef): void {
    this.#quietly(() => this.#store.unmirror(ref));
  }

  /** Runs everything that is due by now. */
  async runTo(now: Date): Promise<void> {
    const seconds = (now.getTime() - this.#clock.now.getTime()) / 1000 + this.#clock.seconds;
    while ((this.#clock.next ?? Infinity) <= seconds) await this.#clock.step();
    this.#clock.advanceTo(seconds);
  }

  /** Terminates a cloud object without its provider. */
  terminate(ref: ObjectRef): void {
    this.#cloud.terminate(ref);
  }

  /** Calls the listener when a machine starts to run, stops or is deleted. */
  onMachine(listener: (event: MachineEvent) => void): void {
    this.#cloud.onMachine(listener);
  }

  /** Whether a machine runs, by its id in the cloud. */
  isRunning(machineId: string): boolean {
    return this.#cloud.machines.find(machineId)?.running === true;
  }

  /** How many objects there are in the cloud. */
  get size(): number {
    return this.#cloud.size;
  }

  /** What there is in the cloud: kind, name of its managed resource, and id; sorted. */
  get left(): readonly string[] {
    return this.#cloud.things.map(({ kind, owner, id }) => `${kind.kind} ${owner.name} (${id})`).toSorted();
  }

  /** Cloud objects created or deleted so far, by kind. */
  counts(of: Tally) {
    return this.#journal.counts(of);
  }

  get moments(): readonly Moment[] {
    return this.#journal.moments;
  }

  /** What must never happen: two cloud objects for one managed resource, two clusters at one endpoint. */
  get violations(): readonly string[] {
    return this.#journal.violations;
  }

  #quietly(action: () => void): void {
    this.#listening = false;
    try {
      action();
    } finally {
      this.#listening = true;
    }
  }
}
