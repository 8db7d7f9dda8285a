/** Functions of the Machines of a claim that nobody serves: there is no Machine yet that would say so. */
import { SlipwayError } from '#lib/api/errors.ts';
import { at, type KubeObject, stringAt } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { compositionFor } from './composition.ts';
import type { PlanWorld } from './world.ts';

/** A sentence for each such function. */
export function unservedNotes(world: PlanWorld, claims: readonly KubeObject[]): readonly string[] {
  const notes = new Map<string, string>();
  for (const claim of claims)
    for (const name of functionsOf(world, claim)) {
      const cause = whyUnserved(world, name);
      if (cause !== undefined && !notes.has(name))
        notes.set(name, `the machines of ${describeObject(claim)} were not judged: ${cause}`);
    }
  return [...notes.values()];
}

/** Of the pipeline that its Machines get, by the selector that they have from it. */
function functionsOf(world: PlanWorld, { metadata, spec }: KubeObject): readonly string[] {
  const { compositionSelector } = (spec?.['crossplane'] ?? {}) as { readonly compositionSelector?: unknown };
  if (compositionSelector === undefined) return [];
  const crossplane = { compositionSelector };
  const machine = { apiVersion: API_VERSION, kind: 'Machine', metadata, spec: { crossplane } } as KubeObject;
  try {
    const steps = at(compositionFor(world, machine), 'spec', 'pipeline');
    return (Array.isArray(steps) ? steps : []).flatMap((step: unknown) => stringAt(step, 'functionRef', 'name') ?? []);
  } catch (thrown) {
    if (SlipwayError.from(thrown).code === 'MissingReference') return [];
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
