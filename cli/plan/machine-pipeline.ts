/** The pipeline that the Machines of a claim get, by the selector that they have from it. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { pipelineOf, type Step } from '#simulator/reconcile/composition.ts';
import { compositionFor } from './composition.ts';
import type { PlanWorld } from './world.ts';

/** Empty: the claim has no selector, or no Composition fits. */
export function machinePipeline(
  world: Pick<PlanWorld, 'definitions' | 'compositions'>,
  { metadata, spec }: KubeObject,
): readonly Step[] {
  const { compositionSelector } = (spec?.['crossplane'] ?? {}) as { readonly compositionSelector?: unknown };
  if (compositionSelector === undefined) return [];
  const crossplane = { compositionSelector };
  const machine = { apiVersion: API_VERSION, kind: 'Machine', metadata, spec: { crossplane } } as KubeObject;
  try {
    return pipelineOf(compositionFor(world, machine));
  } catch (thrown) {
    if (['MissingReference', 'InvalidInput'].includes(SlipwayError.from(thrown).code)) return [];
    throw thrown;
  }
}
