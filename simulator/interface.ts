/**
 * The embedded engine: an API server in memory, Crossplane's reconciler, a simulated cloud and the machines in
 * it, on one virtual clock. It decides nothing about clusters – functions do – and never touches anything real.
 */
import type { KubeObject } from '#lib/api/json.ts';
import type { CloudModel } from './cloud/machine.ts';
import type { Happening, Snapshot } from './facts/facts.ts';
import type { Format } from './nodes/first-boot/format.ts';
import type { Tool } from './nodes/joining/plan.ts';
import type { FunctionCaller } from '#lib/wire/client.ts';
import type { ObjectRef } from './store/ref.ts';
import type { Propagation } from './store/store.ts';

export interface NoCapacity {
  readonly zone: string;
  /** The cloud's own word for a size; left out: any. */
  readonly size?: string;
  /** Second at which there is capacity again; left out: never. */
  readonly until?: number;
}

/** What goes wrong in the simulated cloud. Shares are from 0 to 1 and drawn by seed; nothing goes wrong by default. */
export interface Faults {
  /** Share of cloud calls that are throttled and tried again. @default 0 */
  readonly rateLimits?: number;
  /** Share of creations that fail once before they work. @default 0 */
  readonly failedCreates?: number;
  /** Share of cloud objects that take eight times as long. @default 0 */
  readonly slowObjects?: number;
  /** Share of updaters that fail on a node. @default 0 */
  readonly failedUpdates?: number;
  /** What zones have no machines of. @default [] */
  readonly noCapacity?: readonly NoCapacity[];
  /** Seconds at which the provider loses what it did not write down. @default [] */
  readonly providerRestarts?: readonly number[];
}

/** What is on machine images besides what the simulator knows. */
export interface Programs {
  /** Bootstrappers. @default [] */
  readonly tools?: readonly Tool[];
  /** What reads first-boot data. @default [] */
  readonly formats?: readonly Format[];
}

export interface EngineOptions {
  /** Virtual time of the first instant. */
  readonly start: Date;
  /** The same seed and the same actions give the same run. */
  readonly seed: number;
  /** How to reach a function of a pipeline by its name. Asked at every call, so that a restarted process is found. */
  readonly functions: (name: string) => FunctionCaller;
  /** Whose managed resources come true. */
  readonly clouds: readonly CloudModel[];
  readonly faults?: Faults;
  readonly programs?: Programs;
}

/** Who looks after managed resources: the cloud's provider, and the one for nodes of workload clusters. */
export type ProviderName = 'cloud' | 'node';

export interface ListFilter {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface RunOutcome {
  /** Whether the predicate held. */
  readonly reached: boolean;
  /** Seconds of virtual time since the start. */
  readonly seconds: number;
  /** True when nothing was left to happen before the limit. */
  readonly idle: boolean;
}

export interface Engine {
  readonly now: Date;
  /** Seconds of virtual time since the start. */
  readonly seconds: number;

  /** Installs definitions, compositions and whatever else is there from the start. Order does not matter. */
  load(objects: readonly KubeObject[]): void;
  /** What `kubectl apply` does: validates, defaults, merges. Throws SlipwayError InvalidClaim in one line. */
  apply(object: KubeObject): KubeObject;
  /**
   * What `kubectl delete` does, in the background unless another propagation is asked for. Throws SlipwayError
   * UnknownSubject when there is no such object, Unsupported when it is in use. A Namespace takes everything in it
   * along.
   */
  delete(ref: ObjectRef, propagation?: Propagation): void;
  /** Does something at a virtual second from the start, or at once when that has passed. */
  at(seconds: number, action: () => void): void;
  /** Stops a provider for some seconds of virtual time: it sees and does nothing; what the cloud has begun goes on. */
  stop(provider: ProviderName, seconds: number): void;
  /** Terminates a cloud object behind its provider's back. */
  terminate(ref: ObjectRef): void;

  /** Goes to the next instant at which something happens and does it; false when nothing is left. */
  step(): Promise<boolean>;
  /** Steps until the predicate holds after a step, or virtual time runs out. */
  runUntil(predicate: () => boolean, options: { readonly limitSeconds: number }): Promise<RunOutcome>;

  get(ref: ObjectRef): KubeObject | undefined;
  /** Sorted by namespace and name. */
  list(filter: ListFilter): readonly KubeObject[];
  /** Calls the listener at everything that happens, until the function it returns is called. */
  subscribe(listener: (happening: Happening) => void): () => void;
  snapshot(): Snapshot;
}
