/** A function's request as plain data: what Crossplane observed, what earlier steps desire, what was required. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';

/** A composed resource as observed. */
export interface Observed {
  readonly resource: KubeObject;
  /** Identity and metadata of the resource, which cost less to read than all of it; left out: all of it. */
  readonly head?: KubeObject;
  readonly connectionDetails: Readonly<Record<string, Uint8Array>>;
}

export type Readiness = 'True' | 'False' | 'Unspecified';

/** A composed resource as desired by the steps so far. */
export interface Desired {
  readonly resource: KubeObject;
  readonly ready: Readiness;
}

/** Which objects a function needs to see; by name or by labels, in one namespace. */
export interface Selector {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly matchName?: string;
  readonly matchLabels?: Readonly<Record<string, string>>;
}

export interface Request {
  readonly meta: { readonly tag: string };
  /** The step's `input` in the Composition, unparsed. */
  readonly input: JsonObject | undefined;
  readonly observed: {
    readonly composite: KubeObject;
    /** By composition resource name. What Crossplane could not find is not here. */
    readonly resources: ReadonlyMap<string, Observed>;
  };
  readonly desired: {
    readonly composite: KubeObject | undefined;
    readonly compositeReady: Readiness;
    readonly resources: ReadonlyMap<string, Desired>;
  };
  readonly context: JsonObject;
  /** By requirement name; an empty list means "asked and known absent", a missing name "not asked yet". */
  readonly required: ReadonlyMap<string, readonly KubeObject[]>;
  /** What replies to this request ask for, where several decide about it. */
  readonly asked?: Map<string, Selector>;
}
