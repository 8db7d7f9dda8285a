/** One pipeline run of one XR in a world, and what a function said when it refused. */
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { RenderError, type Rendered, renderOnce } from '#lib/engine/render/render-once.ts';
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
      const said = fatal(thrown);
      if (said === undefined) throw thrown;
      const before = pipeline.findIndex((step) => at(step, 'step') === said.step);
      if (before <= 0 || !needsSecret(world, said.message)) return { refusal: refusalOf(said) };
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
    context: { [CONTEXT.updatePlan]: true },
  });
}

function stepsOf(composition: KubeObject): readonly JsonObject[] {
  const steps = at(composition, 'spec', 'pipeline');
  return Array.isArray(steps) ? (steps as readonly JsonObject[]) : [];
}

interface Said {
  readonly step: string;
  readonly message: string;
}

function fatal(thrown: unknown): Said | undefined {
  if (!(thrown instanceof RenderError)) return undefined;
  const [, step, message] = /pipeline step "([^"]*)" returned a fatal result: (.*)$/.exec(thrown.message) ?? [];
  return step === undefined || message === undefined ? undefined : { step, message };
}

function needsSecret({ objects }: World, message: string): boolean {
  const [, namespace, name] = /^cannot (?:read|use) Secret "([^"/]*)\/([^"]*)":/.exec(message) ?? [];
  if (name === undefined) return false;
  return !objects.some(
    ({ kind, metadata }) => kind === 'Secret' && metadata?.namespace === namespace && metadata?.name === name,
  );
}

function refusalOf({ step, message }: Said): Refusal {
  const [, field, reason] = /^cannot accept [A-Za-z]+ "[^"]*": ([a-z][^:\s]*): (.*)$/.exec(message) ?? [];
  return { step, field: field ?? '', reason: reason ?? message };
}
