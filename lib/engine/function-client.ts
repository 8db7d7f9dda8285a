/** A composition function as the reconciler sees it: one call, over the wire or, in tests, in process. */
import type { Condition } from '#lib/api/conditions.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Selector } from '#lib/fn/reply.ts';
import type { Desired, Readiness, Request } from '#lib/fn/request.ts';

export interface FunctionResult {
  readonly severity: 'Fatal' | 'Warning' | 'Normal';
  readonly reason?: string;
  readonly message: string;
}

export interface FunctionAnswer {
  readonly desired: {
    readonly composite: KubeObject | undefined;
    readonly compositeReady: Readiness;
    readonly resources: ReadonlyMap<string, Desired>;
  };
  readonly conditions: readonly Condition[];
  readonly results: readonly FunctionResult[];
  /** undefined and empty differ: Crossplane calls again until two answers ask for the same. */
  readonly requirements: ReadonlyMap<string, Selector>;
  readonly context: JsonObject;
  /** Seconds; 0 or absent: no wish. */
  readonly ttl: number | undefined;
}

export interface FunctionClient {
  run(request: Request, options: { readonly now: Date }): Promise<FunctionAnswer>;
}
