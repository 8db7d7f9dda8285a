/** Functions of the Machines of a claim that nobody serves: there is no Machine yet that would say so. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { pipelineOf, type Step } from '#simulator/reconcile/composition.ts';
import { unservedStep } from '#simulator/reconcile/others.ts';
import { compositionFor } from './composition.ts';
import type { PlanWorld } from './world.ts';

/** A sentence for each such function. */
export function unservedNotes(world: PlanWorld, claims: readonly KubeObject[]): readonly string[] {
  const notes = new Map<string, string>();
  for (const claim of claims)
    for (const step of stepsOf(world, claim)) {
      const cause = whyUnserved(world, step.function);
      if (cause !== undefined && !notes.has(step.function))
        notes.set(
          step.function,
          `the machines of ${describeObject(claim)} were not judged: ${unservedStep(step, cause)}`,
        );
    }
  return [...notes.values()];
}

/** Of the pipeline that its Machines get, by the selector that they have from it. */
function stepsOf(world: PlanWorld, { metadata, spec }: KubeObject): readonly Step[] {
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

function whyUnserved({ functions }: PlanWorld, name: string): string | undefined {
  try {
    functions(name);
    return undefined;
  } catch (thrown) {
    const { code, message } = SlipwayError.from(thrown);
    if (code !== 'UnknownSubject') throw thrown;
    return message;
  }
}
