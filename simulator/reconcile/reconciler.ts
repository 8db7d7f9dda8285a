/**
 * Reconciles XRs like Crossplane v2.4.2: observe, run the pipeline, collect garbage, persist references, apply, set
 * conditions. Nothing is written before every function has responded; a failure anywhere changes nothing that exists.
 */
import { falseCondition } from '#lib/api/conditions.ts';
import { messageOf } from '#lib/api/errors.ts';
import { type KubeObject, sameJson } from '#lib/api/json.ts';
import type { Observed, Selector } from '#lib/fn/request.ts';
import type { Recorder } from '../facts/recorder.ts';
import { ApiError } from '../store/api-error.ts';
import { refOf } from '../store/ref.ts';
import type { Store } from '../store/store.ts';
import { applyComposed, applyStatus, collectGarbage, persistRefs } from './apply.ts';
import { conditionsOf, isSystemCondition, marked } from './conditions.ts';
import type { Dependencies } from './dependencies.ts';
import { type DesiredState, desiredState } from './desired.ts';
import { observe } from './observe.ts';
import { type PipelineEvent, PipelineError, type PipelineRun, type PipelineWorld, runPipeline } from './pipeline.ts';
import { MANAGER, type Prepared, type Preparer } from './prepare.ts';
import { type ComposedOutcome, verdict } from './verdict.ts';

/** The result of a pipeline run, before anything is written. */
export interface Planned {
  readonly prepared: Prepared;
  readonly observed: ReadonlyMap<string, Observed>;
  readonly outcome: { readonly run: PipelineRun; readonly desired: DesiredState } | { readonly error: unknown };
}

/** When to reconcile the XR again: after seconds, with back-off, or when something changes. */
export type Next = { readonly after: number } | 'back-off' | 'when-changed';

export interface ReconcilerWorld extends Omit<PipelineWorld, 'now' | 'onCall' | 'fetch' | 'requiredBefore'> {
  readonly now: () => Date;
  readonly stamp: () => string;
  readonly onCall: (xr: KubeObject, facts: Parameters<NonNullable<PipelineWorld['onCall']>>[0]) => void;
}

export class Reconciler {
  readonly #store: Store;
  readonly #recorder: Recorder;
  readonly #preparer: Preparer;
  readonly #dependencies: Dependencies;
  readonly #world: ReconcilerWorld;

  constructor(
    store: Store,
    recorder: Recorder,
    preparer: Preparer,
    dependencies: Dependencies,
    world: ReconcilerWorld,
  ) {
    this.#store = store;
    this.#recorder = recorder;
    this.#preparer = preparer;
    this.#dependencies = dependencies;
    this.#world = world;
  }

  /** First third. Writes what must exist before a pipeline may run. */
  prepare(xr: KubeObject): Prepared | Next {
    const preparation = this.#preparer.prepare(xr);
    if (!('end' in preparation)) return preparation;
    return preparation.end === 'done' ? 'when-changed' : 'back-off';
  }

  /** Second third. Calls functions and writes nothing: several XRs may be planned at once. */
  async plan(prepared: Prepared): Promise<Planned> {
    const { xr, steps } = prepared;
    const { functions } = this.#world;
    let observed: ReadonlyMap<string, Observed> = new Map();
    try {
      observed = observe(this.#store, xr);
      const run = await runPipeline(steps, xr, observed, {
        now: this.#world.now(),
        functions,
        fetch: (selector) => fetchFrom(this.#store, selector),
        ...this.#memory(xr),
        onCall: (facts) => this.#world.onCall(xr, facts),
      });
      const isNamespaced = (apiVersion: string, kind: string): boolean =>
        this.#store.kinds.get(apiVersion, kind).namespaced;
      return { prepared, observed, outcome: { run, desired: desiredState(xr, observed, run.resources, isNamespaced) } };
    } catch (error) {
      return { prepared, observed, outcome: { error } };
    }
  }

  #memory(xr: KubeObject): Pick<PipelineWorld, 'requiredBefore'> {
    if (this.#dependencies.version === '2.3') return {};
    return { requiredBefore: (step) => this.#dependencies.requiredBefore(refOf(xr), step) };
  }

  /** Last third. Writes. */
  commit({ prepared, observed, outcome }: Planned): Next {
    const { xr, statusBefore } = prepared;
    if ('error' in outcome) return this.#fail(xr, outcome.error);
    const { run, desired } = outcome;
    try {
      collectGarbage(this.#store, xr, observed, desired.composed, this.#dependencies.version);
      persistRefs(this.#store, xr, desired.composed);
      const { outcomes, events } = applyComposed(this.#store, xr, desired.composed);
      const current = applyStatus(this.#store, xr, run.status);
      const composed = desired.composed.map(({ resource }) => refOf(resource));
      this.#dependencies.composed(refOf(xr), composed, run.required);
      return this.#finish(current, run, outcomes, [...run.events, ...desired.events, ...events], statusBefore);
    } catch (error) {
      return this.#fail(xr, error);
    }
  }

  #finish(
    xr: KubeObject,
    run: PipelineRun,
    outcomes: readonly ComposedOutcome[],
    events: readonly PipelineEvent[],
    statusBefore: KubeObject['status'],
  ): Next {
    for (const { severity, reason, message } of events) this.#recorder.event(xr, severity, reason, message);
    for (const { key, ready, synced } of outcomes) {
      if (!synced)
        this.#recorder.event(xr, 'Normal', 'ComposeResources', `Composed resource "${key}" is not yet valid`);
      if (!ready) this.#recorder.event(xr, 'Normal', 'ComposeResources', `Composed resource "${key}" is not yet ready`);
    }
    const result = judged(xr, run, outcomes, this.#world.stamp());
    if (!sameJson(result.status, statusBefore)) this.#store.updateStatus(result, MANAGER);
    return run.ttl === undefined ? 'when-changed' : { after: run.ttl };
  }

  #fail(xr: KubeObject, error: unknown): Next {
    if (ApiError.is(causeOf(error), 'Conflict')) return 'back-off';
    const { composite, events } = failed(xr, error, this.#world.stamp());
    for (const { severity, reason, message } of events) this.#recorder.event(xr, severity, reason, message);
    try {
      this.#store.updateStatus(composite, MANAGER);
    } catch (thrown) {
      if (!ApiError.is(thrown)) throw thrown; // Crossplane ignores it, too: the next attempt reports it
    }
    return 'back-off';
  }
}

/** The XR after a failed reconcile, with the reason. Conditions that were not set are unknown now. */
export function failed(
  xr: KubeObject,
  error: unknown,
  stamp: string,
): { readonly composite: KubeObject; readonly events: readonly PipelineEvent[] } {
  const message = `cannot compose resources: ${messageOf(error)}`;
  const said = error instanceof PipelineError ? error : undefined;
  const events = [{ severity: 'Warning', reason: 'ComposeResources', message } as const, ...(said?.events ?? [])];
  const seen = (said?.conditions ?? []).filter(({ type }) => !isSystemCondition(type));
  const shown = ApiError.is(causeOf(error), 'Invalid')
    ? 'cannot compose resources: some resources were invalid, check events'
    : message;
  const marking = marked(xr, [falseCondition('Synced', 'ReconcileError', shown)], stamp, true);
  const updated = marked(marking, seen, stamp, false);
  const forgotten = conditionsOf(updated)
    .filter(({ type }) => !isSystemCondition(type) && !seen.some((condition) => condition.type === type))
    .map(({ type }) => ({
      type,
      status: 'Unknown' as const,
      reason: 'FatalError',
      message: 'A fatal error occurred before the status of this condition could be determined.',
    }));
  return { composite: marked(updated, forgotten, stamp, true), events };
}

/** The XR with the conditions at the end of a reconcile: those of functions, then Synced and Ready. */
export function judged(
  xr: KubeObject,
  run: Pick<PipelineRun, 'conditions' | 'compositeReady'>,
  outcomes: readonly ComposedOutcome[],
  stamp: string,
): KubeObject {
  const own = run.conditions.filter(({ type }) => !isSystemCondition(type));
  return marked(marked(xr, own, stamp, false), verdict(outcomes, run.compositeReady), stamp, true);
}

function fetchFrom(
  store: Store,
  { apiVersion, kind, namespace, matchName, matchLabels }: Selector,
): readonly KubeObject[] {
  store.kinds.get(apiVersion, kind);
  if (matchName === undefined) return store.list({ apiVersion, kind, namespace, labels: matchLabels });
  const found = store.find({ apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name: matchName });
  return found === undefined ? [] : [found];
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
