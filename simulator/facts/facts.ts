/** What the engine reports to its users: plain data, the same bytes for the same seed, never a secret. */
import type { Condition } from '#lib/api/conditions.ts';
import type { ObjectRef } from '../store/ref.ts';

/** Everything that can be watched while a simulation runs. `at` is seconds of virtual time since the start. */
export type Happening =
  | {
      readonly type: 'object';
      readonly at: number;
      readonly change: 'created' | 'changed' | 'deleted';
      readonly ref: ObjectRef;
    }
  | {
      readonly type: 'condition';
      readonly at: number;
      readonly ref: ObjectRef;
      readonly condition: Condition;
      /** Absent if the condition is new. */
      readonly before?: Condition;
    }
  | { readonly type: 'event'; readonly at: number; readonly event: EventFacts }
  | ({ readonly type: 'call'; readonly at: number; readonly xr: ObjectRef } & CallFacts)
  | { readonly type: 'moment'; readonly at: number; readonly moment: Moment };

/** One call of a function. */
export interface CallFacts {
  readonly step: string;
  readonly function: string;
  /** Counts from 1; above 1, the function required objects and is called again with them. */
  readonly round: number;
  readonly outcome: 'answered' | 'fatal' | 'failed';
  /** Milliseconds of real time: only for people, never part of a snapshot. */
  readonly milliseconds: number;
  /** Why the call failed or was fatal. */
  readonly message?: string;
}

export interface EventFacts {
  readonly ref: ObjectRef;
  readonly severity: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  /** Seconds since the start, of the first and of the last occurrence. */
  readonly first: number;
  readonly last: number;
}

/** A line of the timeline: an event worth showing to people. */
export interface Moment {
  /** Seconds since the start. */
  readonly at: number;
  readonly ref: ObjectRef;
  readonly text: string;
}

export interface ComposedFacts extends ObjectRef {
  /** Composition resource name. */
  readonly key: string;
  /** Ready and Synced; for kinds without conditions, whether it exists. */
  readonly ready: boolean;
  /** One line, if it is not ready. */
  readonly why?: string;
  readonly deleting: boolean;
  /** The id that the cloud assigned. */
  readonly externalName?: string;
}

export interface CompositeFacts extends ObjectRef {
  readonly ready: boolean;
  readonly synced: boolean;
  readonly paused: boolean;
  readonly deleting: boolean;
  readonly composition?: string;
  readonly conditions: readonly Condition[];
  /** The XR that composed it; absent for objects that users apply. */
  readonly parent?: ObjectRef;
  /** Name of the Cluster of a pool that users apply. */
  readonly cluster?: string;
  readonly composed: readonly ComposedFacts[];
}

export interface Counters {
  readonly reconciles: number;
  readonly functionCalls: Readonly<Record<string, number>>;
  readonly failedCalls: number;
  /** API objects by kind. */
  readonly created: Readonly<Record<string, number>>;
  readonly deleted: Readonly<Record<string, number>>;
  /** Cloud objects by kind. A provider that loses an id creates a second object, which is also a violation. */
  readonly cloudCreated: Readonly<Record<string, number>>;
  readonly cloudDeleted: Readonly<Record<string, number>>;
  /** Cloud objects that exist now. */
  readonly cloudObjects: number;
  readonly machinesBooted: number;
  readonly nodesJoined: number;
  readonly nodesDrained: number;
  readonly nodesUpdated: number;
}

export interface Snapshot {
  readonly now: string;
  /** Seconds of virtual time since the start. */
  readonly seconds: number;
  readonly seed: number;
  /** True if there is an XR, and every XR is Ready, Synced and not being deleted. */
  readonly ready: boolean;
  /** Sorted: parents before children, then by kind and name. */
  readonly composites: readonly CompositeFacts[];
  readonly counters: Counters;
  readonly timeline: readonly Moment[];
  /** Events of severity Warning, most recent last. */
  readonly warnings: readonly EventFacts[];
  /**
   * What must never happen but did: a second cloud object for one managed resource, two kubeadm inits of one cluster …
   */
  readonly violations: readonly string[];
}
