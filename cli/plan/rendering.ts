/** One pipeline run of one XR in a world, and what a function said when it refused. */
import type { ErrorCode } from '#lib/api/errors.ts';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { FatalResult } from '#simulator/engine.ts';
import { RenderError, type Rendered, renderOnce } from '#simulator/render/render-once.ts';
import { compositionFor } from './composition.ts';
import { composedOf, definitionOf, type World } from './world.ts';

/** What a function says it cannot accept. */
export interface Refusal {
  readonly step: string;
  /** Empty where it is about the claim as a whole. */
  readonly field: string;
  readonly reason: string;
}

export type Run = { readonly rendered: Rendered } | { readonly refusal: Refusal };

/**
 * Runs the XR's pipeline. A step that needs a Secret which is not part of what is observed is left out, and all after it:
 * a plan asks for no Secret. Throws what is no refusal, such as a function that is not there.
 */
export async function runXr(world: World, xr: KubeObject): Promise<Run> {
  const composition = compositionFor(world, xr);
  for (let pipeline = stepsOf(composition); ;) {
    const shortened = { ...composition, spec: { ...composition.spec, pipeline } };
    try {
      return { rendered: await render(world, xr, shortened) };
    } catch (thrown) {
      const fatal = thrown instanceof RenderError ? thrown.fatal : undefined;
      if (fatal === undefined) throw thrown;
      const before = pipeline.findIndex((step) => at(step, 'step') === fatal.step);
      if (before <= 0 || !lacksSecrets(world, fatal)) return { refusal: refusalOf(fatal) };
      pipeline = pipeline.slice(0, before);
    }
  }
}

function render(world: World, xr: KubeObject, composition: KubeObject): Promise<Rendered> {
  const { functions, now, objects } = world;
  const observed = composedOf(world, xr);
  return renderOnce(xr, composition, {
    functions,
    now,
    observed,
    required: objects,
    definition: definitionOf(world, xr),
    context: { [CONTEXT.updatePlanIgnored]: true },
  });
}

function stepsOf(composition: KubeObject): readonly JsonObject[] {
  const steps = at(composition, 'spec', 'pipeline');
  return Array.isArray(steps) ? (steps as readonly JsonObject[]) : [];
}

/** The step needs Secrets that are not part of what is observed, and nothing else is wrong. */
function lacksSecrets({ objects }: World, { code, refusal }: FatalResult): boolean {
  const absent = refusal?.absentSecrets ?? [];
  if (code !== ('UnreadableSecret' satisfies ErrorCode) || absent.length === 0) return false;
  return !objects.some(
    ({ kind, metadata }) =>
      kind === 'Secret' &&
      absent.some(({ namespace, name }) => metadata?.namespace === namespace && metadata.name === name),
  );
}

/** Errors about a field of the claim; one of a step's input is nothing the claim's author can mend. */
const ABOUT_CLAIM: ReadonlySet<string | undefined> = new Set<ErrorCode>(['InvalidClaim', 'Unsupported']);

function refusalOf({ step, code, message, refusal }: FatalResult): Refusal {
  if (refusal === undefined || !ABOUT_CLAIM.has(code)) return { step, field: '', reason: message };
  return { step, field: refusal.field, reason: refusal.field === '' ? message : refusal.reason };
}
