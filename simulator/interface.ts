/**
 * The embedded engine: an in-memory API server, Crossplane's reconciler, a simulated cloud and its machines, on one
 * virtual clock. It decides nothing about clusters (functions do) and never accesses anything real.
 */
import type { KubeObject } from '#lib/api/json.ts';
import type { CloudModel } from './cloud/machine.ts';
import type { Happening, Snapshot } from './facts/facts.ts';
import type { Format } from './nodes/first-boot/format.ts';
import type { Tool } from './nodes/joining/plan.ts';
import type { FunctionCaller } from '#lib/wire/client.ts';
import type { ObjectRef } from './store/ref.ts';
import type { Propagation } from './store/propagation.ts';

export interface NoCapacity {
  readonly zone: string;
  /** The cloud's name of a size; absent: any size. */
  readonly size?: string;
  /** Second at which there is capacity again; absent: never. */
  readonly until?: number;
}

/** Faults of the simulated cloud. Shares are from 0 to 1 and are drawn by seed; there are no faults by default. */
export interface Faults {
  /** Share of cloud calls that are throttled and retried. @default 0 */
  readonly rateLimits?: number;
  /** Share of creations that fail once before they work. @default 0 */
  readonly failedCreates?: number;
  /** Share of cloud objects that take eight times as long. @default 0 */
  readonly slowObjects?: number;
  /** Share of updaters that fail on a node. @default 0 */
  readonly failedUpdates?: number;
  /** What zones have no capacity for. @default [] */
  readonly noCapacity?: readonly NoCapacity[];
  /** Seconds at which the provider loses its unsaved state. @default [] */
  readonly providerRestarts?: readonly number[];
}

/** Programs on machine images in addition to those of the simulator. */
export interface Programs {
  /** Bootstrappers. @default [] */
  readonly tools?: readonly Tool[];
  /** Programs that read first-boot data. @default [] */
  readonly formats?: readonly Format[];
}

/** Minor versions of Crossplane that differ in what they reconcile, and how often they call functions. */
export type CrossplaneMinor = '2.3' | '2.4';

export interface EngineOptions {
  /** Virtual time of the start. */
  readonly start: Date;
  /** The same seed and the same actions give the same run. */
  readonly seed: number;
  /** Finds a function of a pipeline by its name. Called each time, so that a restarted process is found. */
  readonly functions: (name: string) => FunctionCaller;
  /** The clouds whose managed resources are simulated. */
  readonly clouds: readonly CloudModel[];
  readonly faults?: Faults;
  readonly programs?: Programs;
  /** @default '2.4' */
  readonly crossplane?: CrossplaneMinor;
}

/** Controllers of managed resources: the provider of the cloud, and that of nodes of workload clusters. */
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
  /** True if nothing was left to happen before the limit. */
  readonly idle: boolean;
}

export interface Engine {
  readonly now: Date;
  /** Seconds of virtual time since the start. */
  readonly seconds: number;

  /** Installs definitions, compositions and other initial objects, in any order. */
  load(objects: readonly KubeObject[]): void;
  /** Like `kubectl apply`: validates, defaults, merges. Throws SlipwayError InvalidClaim in one line. */
  apply(object: KubeObject): KubeObject;
  /**
   * Like `kubectl delete`, in the background unless another propagation is set. Throws SlipwayError UnknownSubject if
   * there is no such object, Unsupported if it is in use. Deleting a Namespace deletes everything in it.
   */
  delete(ref: ObjectRef, propagation?: Propagation): void;
  /** Does something at a virtual second since the start, or at once if that has passed. */
  at(seconds: number, action: () => void): void;
  /** Stops a provider for some seconds of virtual time; operations that the cloud has begun continue. */
  stop(provider: ProviderName, seconds: number): void;
  /** Terminates a cloud object without its provider. */
  terminate(ref: ObjectRef): void;
  /** A driver in a cluster attaches a volume to a machine, or detaches it, without the provider of the machine. */
  setVolume(ref: ObjectRef, volume: string, isAttached: boolean): void;

  /** Advances to the next instant at which something happens and runs it; false if nothing is left. */
  step(): Promise<boolean>;
  /** Steps until the predicate holds after a step, or the virtual time limit is reached. */
  runUntil(predicate: () => boolean, options: { readonly limitSeconds: number }): Promise<RunOutcome>;

  get(ref: ObjectRef): KubeObject | undefined;
  /** Sorted by namespace and name. */
  list(filter: ListFilter): readonly KubeObject[];
  /** Calls the listener for everything that happens, until the returned function is called. */
  subscribe(listener: (happening: Happening) => void): () => void;
  snapshot(): Snapshot;
}
