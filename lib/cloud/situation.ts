/** What a call of the cluster step and of the machine step have in common. */
import type { KubeObject } from '#lib/api/json.ts';

export interface CloudSituation<Input> {
  /** The claim as observed, for its conditions. */
  readonly composite: KubeObject;
  /** How messages call it. */
  readonly owner: string;
  readonly input: Input;
  /** Composed resources by composition resource name. */
  readonly observed: ReadonlyMap<string, KubeObject>;
}
