/** One run of the pipeline of a Composition: each step sees what earlier steps desire; a fatal result ends it. */
import type { Condition } from '#lib/api/conditions.ts';
import { Refusal } from '#lib/api/contracts/refusal.ts';
import { messageOf, SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { sha256 } from '#lib/api/names.ts';
import { CONTEXT } from '#lib/api/words.ts';
import type { Desired, Observed, Readiness, Request, Selector } from '#lib/fn/request.ts';
import type { FunctionAnswer } from '#lib/wire/answer.ts';
import type { CallFacts } from '../facts/facts.ts';
import type { FunctionCaller } from '#lib/wire/client.ts';
import { metaOf } from '../store/object.ts';
import type { Step } from './composition.ts';
import type { Required } from './dependencies.ts';
import { failedStep, refuseUnusable, unservedStep } from './others.ts';
import { type Fetch, runWithRequirements } from './requirements.ts';

/** An event on the XR, worded as in Crossplane. */
export interface PipelineEvent {
  readonly severity: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface PipelineRun {
  readonly status: JsonObject;
  readonly compositeReady: Readiness;
  readonly resources: ReadonlyMap<string, Desired>;
  readonly conditions: readonly Condition[];
  readonly events: readonly PipelineEvent[];
  /** The context after the last step, which Crossplane discards. */
  readonly context: JsonObject;
  /** Seconds; the shortest time-to-live of all steps. */
  readonly ttl: number | undefined;
  readonly required: Required;
}

/** A fatal result, and what its function added to it. */
export interface FatalResult {
  readonly step: string;
  /** An ErrorCode if the function is one of ours. */
  readonly code: string | undefined;
  readonly message: string;
  /** Undefined if the function added none, as functions of third parties may. */
  readonly refusal: Refusal | undefined;
}

/** What Crossplane keeps of a failed run. */
interface Kept {
  readonly conditions: readonly Condition[];
  readonly events: readonly PipelineEvent[];
}

/** A step failed. After a fatal result, Crossplane keeps the conditions and events of earlier steps. */
export class PipelineError extends Error {
  override readonly name = 'PipelineError';
  /** Undefined if the function could not be called. */
  readonly fatal: FatalResult | undefined;
  readonly conditions: readonly Condition[];
  readonly events: readonly PipelineEvent[];

  constructor(message: string, fatal?: FatalResult, { conditions, events }: Kept = { conditions: [], events: [] }) {
    super(message);
    this.fatal = fatal;
    this.conditions = conditions;
    this.events = events;
  }

  static ofFatal(fatal: FatalResult, kept: Kept): PipelineError {
    return new PipelineError(`pipeline step "${fatal.step}" returned a fatal result: ${fatal.message}`, fatal, kept);
  }

  static ofOthers(step: Step, servedAt: string, { message, ...fatal }: FatalResult, kept: Kept): PipelineError {
    const whole = failedStep(step, servedAt, message);
    return new PipelineError(whole, { ...fatal, message: whole }, kept);
  }
}

export interface PipelineWorld {
  readonly now: Date;
  readonly functions: (name: string) => FunctionCaller;
  readonly fetch: Fetch;
  /** What a step required when its XR was composed last; undefined for Crossplane 2.3, which does not know. */
  readonly requiredBefore?: (step: string) => ReadonlyMap<string, Selector>;
  /** Called after every call. */
  readonly onCall?: (facts: CallFacts) => void;
}

export async function runPipeline(
  steps: readonly Step[],
  composite: KubeObject,
  observed: ReadonlyMap<string, Observed>,
  world: PipelineWorld,
  seedContext: JsonObject = {},
): Promise<PipelineRun> {
  let desired: FunctionAnswer['desired'] = {
    composite: undefined,
    compositeReady: 'Unspecified',
    resources: new Map(),
  };
  let context = seedContext;
  let ttl: number | undefined;
  const conditions: Condition[] = [];
  const events: PipelineEvent[] = [];
  const required = new Map<string, ReadonlyMap<string, Selector>>();
  for (const step of steps) {
    const request: Request = {
      meta: { tag: sha256(`${step.name}\0${metaOf(composite).uid ?? ''}\0${metaOf(composite).resourceVersion ?? ''}`) },
      input: step.input,
      observed: { composite, resources: observed },
      desired,
      context,
      required: knownObjects(step, world),
    };
    const answer = await runStep(step, request, world);
    desired = answer.desired;
    context = answer.context;
    required.set(step.name, new Map([...step.required, ...answer.requirements]));
    if (answer.ttl !== undefined && answer.ttl > 0 && (ttl === undefined || answer.ttl < ttl)) ttl = answer.ttl;
    conditions.push(...answer.conditions);
    for (const { severity, reason, message } of answer.results) {
      if (severity === 'Fatal') {
        const refusal = Refusal.safeParse(context[CONTEXT.refusal]).data;
        const fatal = { step: step.name, code: reason, message, refusal };
        const { servedAt } = world.functions(step.function);
        throw servedAt === undefined || refusal !== undefined
          ? PipelineError.ofFatal(fatal, { conditions, events })
          : PipelineError.ofOthers(step, servedAt, fatal, { conditions, events });
      }
      events.push({
        severity,
        reason: reason === undefined || reason === '' ? 'ComposeResources' : reason,
        message: `Pipeline step "${step.name}": ${message}`,
      });
    }
  }
  const { composite: own, compositeReady, resources } = desired;
  return { status: own?.status ?? {}, compositeReady, resources, conditions, events, context, ttl, required };
}

/** What the first call of a step gets: what its Composition lists, and what it required before. */
function knownObjects(step: Step, { fetch, requiredBefore }: PipelineWorld): Request['required'] {
  const known = new Map([...(requiredBefore?.(step.name) ?? []), ...step.required]);
  return new Map([...known].map(([name, selector]) => [name, fetch(selector)]));
}

async function runStep(step: Step, request: Request, world: PipelineWorld): Promise<FunctionAnswer> {
  let servedAt: string | undefined;
  const call = async (next: Request, round: number): Promise<FunctionAnswer> => {
    const begun = performance.now();
    const facts = { step: step.name, function: step.function, round };
    const elapsed = (): number => performance.now() - begun;
    try {
      const caller = world.functions(step.function);
      ({ servedAt } = caller);
      const answer = await caller.run(next, { now: world.now });
      if (servedAt !== undefined) refuseUnusable(answer);
      const fatal = answer.results.find(({ severity }) => severity === 'Fatal');
      world.onCall?.({
        ...facts,
        outcome: fatal === undefined ? 'answered' : 'fatal',
        milliseconds: elapsed(),
        ...(fatal === undefined ? {} : { message: fatal.message }),
      });
      return answer;
    } catch (thrown) {
      const message = messageOf(thrown);
      world.onCall?.({ ...facts, outcome: 'failed', milliseconds: elapsed(), message });
      throw thrown;
    }
  };
  try {
    return await runWithRequirements(call, request, world.fetch, world.requiredBefore !== undefined);
  } catch (thrown) {
    const isUnserved = thrown instanceof SlipwayError && thrown.code === 'UnknownSubject';
    if (servedAt === undefined && isUnserved) throw new PipelineError(unservedStep(step, thrown.message));
    if (servedAt === undefined)
      throw new PipelineError(`cannot run Composition pipeline step "${step.name}": ${messageOf(thrown)}`);
    const cause = thrown instanceof SlipwayError ? (thrown.reason ?? thrown.message) : messageOf(thrown);
    throw new PipelineError(failedStep(step, servedAt, cause));
  }
}
