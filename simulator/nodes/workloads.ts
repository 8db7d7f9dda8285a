/** Simulated machines and their workload clusters: from first-boot data to Nodes that report Ready. */
import type { Dice } from '../clock/dice.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import type { Cloud } from '../cloud/cloud.ts';
import type { MachineEvent, MachineFacts } from '../cloud/machine.ts';
import type { Journal } from '../facts/journal.ts';
import type { Faults, Programs } from '../interface.ts';
import type { Recorder } from '../facts/recorder.ts';
import type { Store } from '../store/store.ts';
import { AddOnProvider } from '../addons/add-on-provider.ts';
import { Boot, refOfMachine } from './boot.ts';
import { versionOfImage } from './images.ts';
import { NodeProvider } from './node-provider.ts';
import type { WorkloadCluster } from './workload-cluster.ts';

export interface WorkloadParts {
  readonly store: Store;
  readonly clock: Scheduler;
  readonly dice: Dice;
  readonly recorder: Recorder;
  readonly journal: Journal;
}

/** Called when Nodes of a cluster appeared, became ready or unready, or went. */
export type NodesChanged = (cluster: WorkloadCluster) => void;

/** Where machines are. */
export type MachineSource = Pick<Cloud, 'machines' | 'onMachine'>;

export class Workloads {
  readonly #parts: WorkloadParts;
  /** By `host:port` of the Kubernetes API. */
  readonly #clusters = new Map<string, WorkloadCluster>();
  readonly #booted = new Set<string>();
  readonly #boot: Boot;
  /** Undefined: a provider elsewhere looks after the Nodes. */
  readonly #provider: NodeProvider | undefined;

  /** @param elsewhere  given: no provider-node is played, and the listener gets the Nodes */
  constructor(
    parts: WorkloadParts,
    cloud: MachineSource,
    faults: Faults,
    programs: Programs = {},
    elsewhere?: NodesChanged,
  ) {
    this.#parts = parts;
    const { store, clock, dice, journal } = parts;
    const onNodes: NodesChanged = elsewhere ?? (() => this.#provider?.lookAtAll());
    this.#boot = new Boot({
      clock,
      dice,
      journal,
      machines: cloud.machines,
      clusters: this.#clusters,
      programs,
      // Elsewhere, nobody plays the add-ons that would bring it.
      needsNetwork: elsewhere === undefined,
      versionOf: (image) => versionOfImage(store, image),
      onFailure: (machine, message, reason) => this.#report(machine, message, reason),
      onNodes,
    });
    this.#provider = elsewhere === undefined ? this.#played(cloud, faults, onNodes) : undefined;
    if (elsewhere === undefined) void new AddOnProvider({ ...parts, clusters: this.#clusters, onNodes }); // runs by its watches
    cloud.onMachine((event) => this.#notice(event));
  }

  /** Stops the provider for nodes for a while; machines keep running. */
  stop(seconds: number): void {
    this.#provider?.stop(seconds);
  }

  #played(cloud: MachineSource, faults: Faults, onNodes: NodesChanged): NodeProvider {
    return new NodeProvider({
      ...this.#parts,
      clusters: this.#clusters,
      isRunning: (id) => cloud.machines.find(id)?.running === true,
      call: (address, credentials) => this.#boot.call(address, credentials),
      onNodes,
      failing: faults.failedUpdates ?? 0,
    });
  }

  #notice({ change, machine }: MachineEvent): void {
    if (change !== 'running') return this.#boot.setReady(machine.id, false);
    if (this.#booted.has(machine.id)) return this.#boot.setReady(machine.id, true);
    this.#booted.add(machine.id);
    this.#boot.start(machine);
  }

  /** A machine that never becomes a node reports it where people look: on its managed resource. */
  #report(machine: MachineFacts, message: string, reason: string): void {
    const resource = this.#parts.store.find(refOfMachine(machine));
    if (resource !== undefined) this.#parts.recorder.event(resource, 'Warning', reason, message);
  }
}
