/** Functions of the Machines of a claim that nobody serves: there is no Machine yet that would say so. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { unservedStep } from '#simulator/reconcile/others.ts';
import { machinePipeline } from './pipelines.ts';
import type { PlanWorld } from './world.ts';

/** A sentence for each such function. */
export function unservedNotes(world: PlanWorld, claims: readonly KubeObject[]): readonly string[] {
  const notes = new Map<string, string>();
  for (const claim of claims)
    for (const step of machinePipeline(world, claim)) {
      const cause = whyUnserved(world, step.function);
      if (cause !== undefined && !notes.has(step.function))
        notes.set(
          step.function,
          `the machines of ${describeObject(claim)} were not judged: ${unservedStep(step, cause)}`,
        );
    }
  return [...notes.values()];
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
