/** What one reconcile comes to, whichever engine did it. */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { PipelineEvent } from '#simulator/reconcile/pipeline.ts';
import type { Asked } from './wire.ts';

export interface Rendering {
  /** Why nothing was composed, when that is so. */
  readonly error: string | undefined;
  /** Identity, references and status of the XR, after a refusal as well. */
  readonly composite: KubeObject | undefined;
  /** What is applied, by composition resource name. */
  readonly composed: readonly KubeObject[];
  readonly deleted: readonly KubeObject[];
  readonly results: readonly PipelineEvent[];
  readonly context: JsonObject;
  /** What functions were asked, in order. */
  readonly asked: readonly Asked[];
}
