/** The pipelines of a claim and of the machines that it would have, by their Compositions. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { pipelineOf, type Step } from '#simulator/reconcile/composition.ts';
import { compositionFor } from './composition.ts';
import type { PlanWorld } from './world.ts';

type Machinery = Pick<PlanWorld, 'definitions' | 'compositions'>;

/** Empty: no Composition fits, or what fits has no pipeline. */
export function pipelineFor(world: Machinery, xr: KubeObject): readonly Step[] {
  try {
    return pipelineOf(compositionFor(world, xr));
  } catch (thrown) {
    if (['MissingReference', 'InvalidInput'].includes(SlipwayError.from(thrown).code)) return [];
    throw thrown;
  }
}

/** By the selector that Machines have from the claim. Empty: it has none, or no Composition fits. */
export function machinePipeline(world: Machinery, { metadata, spec }: KubeObject): readonly Step[] {
  const { compositionSelector } = (spec?.['crossplane'] ?? {}) as { readonly compositionSelector?: unknown };
  if (compositionSelector === undefined) return [];
  const crossplane = { compositionSelector };
  return pipelineFor(world, { apiVersion: API_VERSION, kind: 'Machine', metadata, spec: { crossplane } } as KubeObject);
}
