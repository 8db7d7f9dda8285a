/**
 * The embedded engine: an API server in memory, Crossplane's reconciler, a simulated cloud and the machines in
 * it, on one virtual clock. It decides nothing about clusters – functions do – and never touches anything real.
 */
import type { KubeObject } from '#lib/api/json.ts';
import type { Happening, Snapshot } from './facts/facts.ts';
import type { FunctionCaller } from './reconcile/function-caller.ts';
import type { ObjectRef } from './store/ref.ts';

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
  /** Seconds at which the provider loses what it did not write down. @default [] */
  readonly providerRestarts?: readonly number[];
}

export interface EngineOptions {
  /** Virtual time of the first instant. */
  readonly start: Date;
  /** The same seed and the same actions give the same run. */
  readonly seed: number;
  /** How to reach a function of a pipeline by its name. Asked at every call, so that a restarted process is found. */
  readonly functions: (name: string) => FunctionCaller;
  readonly faults?: Faults;
}

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
  /** What `kubectl delete` does. Throws SlipwayError UnknownSubject when there is no such object. */
  delete(ref: ObjectRef): void;
  /** Does something at a virtual second from the start, or at once when that has passed. */
  at(seconds: number, action: () => void): void;
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
