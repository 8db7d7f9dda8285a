/** The result of one reconcile, from either engine. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { PipelineEvent } from '#simulator/reconcile/pipeline.ts';
import type { Asked } from './wire.ts';

export interface Rendering {
  /** Why nothing was composed, if so. */
  readonly error: string | undefined;
  /** Identity, references and status of the XR, after a refusal as well. */
  readonly composite: KubeObject | undefined;
  /** Applied objects, by composition resource name. */
  readonly composed: readonly KubeObject[];
  readonly deleted: readonly KubeObject[];
  readonly results: readonly PipelineEvent[];
  readonly context: JsonObject;
  /** The requests to functions, in order. */
  readonly asked: readonly Asked[];
}
