/** One pipeline run of one XR in a world, and what a function said when it refused. */
import { type ErrorCode, isAboutClaim } from '#lib/api/errors.ts';
import { Refusal as RefusalContract } from '#lib/api/contracts/refusal.ts';
import { at, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { FatalResult } from '#simulator/engine.ts';
import { RenderError, type Rendered, renderOnce } from '#simulator/render/render-once.ts';
import { compositionFor, undecided } from './composition.ts';
import { findable } from './facts.ts';
import type { Refusal } from './refusal.ts';
import { composedOf, definitionOf, isSlipway, type PlanWorld } from './world.ts';

export type Run = { readonly rendered: Rendered } | { readonly refusal: Refusal };

/**
 * Runs the pipeline of the XR. A step that needs a Secret which is not observed is left out, because a plan reads no
 * Secret; and so are all steps after it, except for a Cluster: its add-ons need nothing of its keys. Throws errors that are not refusals, such as a missing function.
 */
export async function runXr(world: PlanWorld, xr: KubeObject): Promise<Run> {
  const refusal = undecided(world, xr);
  if (refusal !== undefined) return { refusal };
  const composition = compositionFor(world, xr);
  for (let pipeline = stepsOf(composition); ;) {
    const shortened = { ...composition, spec: { ...composition.spec, pipeline } };
    try {
      const rendered = await render(world, xr, shortened);
      const refusal = refusalIn(rendered, pipeline);
      return refusal === undefined ? { rendered } : { refusal };
    } catch (thrown) {
      const fatal = thrown instanceof RenderError ? thrown.fatal : undefined;
      if (fatal === undefined) throw thrown;
      const before = pipeline.findIndex((step) => at(step, 'step') === fatal.step);
      if (before <= 0 || !lacksSecrets(world, fatal)) return { refusal: refusalOf(fatal) };
      pipeline = isSlipway(xr, 'Cluster') ? pipeline.toSpliced(before, 1) : pipeline.slice(0, before);
    }
  }
}

/** The refusal of an edit, which is always about the claim: the claim goes on as it was accepted, without the edit. */
function refusalIn({ context }: Rendered, [first]: readonly JsonObject[]): Refusal | undefined {
  const refusal = RefusalContract.safeParse(context[CONTEXT.refusal]).data;
  const step = stringAt(first, 'step') ?? '';
  return refusal && refusalOf({ step, code: 'InvalidClaim', message: refusal.reason, refusal });
}

/** The XR with the status that a run gives it. */
export function withStatusOf({ composite }: Pick<Rendered, 'composite'>, xr: KubeObject): KubeObject {
  const { status } = composite;
  return status === undefined ? xr : { ...xr, status };
}

function render(world: PlanWorld, xr: KubeObject, composition: KubeObject): Promise<Rendered> {
  const { functions, now } = world;
  const observed = composedOf(world, xr);
  return renderOnce(xr, composition, {
    functions,
    now,
    observed,
    required: findable(world),
    definition: definitionOf(world, xr),
    context: { [CONTEXT.updatePlanIgnored]: true },
  });
}

function stepsOf(composition: KubeObject): readonly JsonObject[] {
  const steps = at(composition, 'spec', 'pipeline');
  return Array.isArray(steps) ? (steps as readonly JsonObject[]) : [];
}

/** Whether the step only fails because it needs Secrets that are not observed. */
function lacksSecrets({ objects }: PlanWorld, { code, refusal }: FatalResult): boolean {
  const absent = refusal?.absentSecrets ?? [];
  if (code !== ('UnreadableSecret' satisfies ErrorCode) || absent.length === 0) return false;
  return !objects.some(
    ({ kind, metadata }) =>
      kind === 'Secret' &&
      absent.some(({ namespace, name }) => metadata?.namespace === namespace && metadata.name === name),
  );
}

function refusalOf({ step, code, message, refusal }: FatalResult): Refusal {
  if (refusal?.object !== undefined && refusal.field !== '') {
    const { kind, ...metadata } = refusal.object;
    return { step, field: `${refusal.field} of ${describeObject({ kind, metadata })}`, reason: refusal.reason };
  }
  if (refusal === undefined || !isAboutClaim(code)) return { step, field: '', reason: message };
  return { step, field: refusal.field, reason: refusal.field === '' ? message : refusal.reason };
}
