/**
 * One reconcile of one XR without applying it: what `crossplane composition render` prints for the same files. It runs
 * the reconciler's own pipeline; time stands still, so that the same files give the same bytes.
 */
import { createHash } from 'node:crypto';
import { falseCondition, trueCondition } from '#lib/api/conditions.ts';
import { SlipwayError } from '#lib/api/errors.ts';
import { type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Selector } from '#lib/fn/request.ts';
import { pipelineOf } from '../reconcile/composition.ts';
import { marked } from '../reconcile/conditions.ts';
import { desiredState } from '../reconcile/desired.ts';
import type { FunctionCaller } from '#lib/wire/client.ts';
import { compositionName, persistedRefs, selectorLabels, withMachinery } from '../reconcile/machinery.ts';
import { observe } from '../reconcile/observe.ts';
import {
  type FatalResult,
  type PipelineEvent,
  PipelineError,
  type PipelineRun,
  runPipeline,
} from '../reconcile/pipeline.ts';
import { failed, judged } from '../reconcile/reconciler.ts';
import { kindOfXrd } from '../store/definitions.ts';
import { controllerOf, isDeleting, labelsOf, matches, metaOf, uidOf, withLabels, withMeta } from '../store/object.ts';
import { keyOf, refOf } from '../store/ref.ts';
import { withDefaults } from '../store/schema/defaults.ts';

export interface RenderContext {
  readonly functions: (name: string) => FunctionCaller;
  /** Existing composed resources; the annotation of each contains its composition resource name. */
  readonly observed?: readonly KubeObject[];
  /** Objects functions may require. */
  readonly required?: readonly KubeObject[];
  /** The initial pipeline context. */
  readonly context?: JsonObject;
  /** The definition of the XR; if set, its defaults are filled in first. */
  readonly definition?: KubeObject;
  /** Time that functions see. @default 2024-01-01T00:00:00Z, which conditions always have */
  readonly now?: Date;
}

export interface Rendered {
  /** Identity, references and status of the XR after one reconcile. */
  readonly composite: KubeObject;
  /** What would be applied, by composition resource name. */
  readonly composed: readonly KubeObject[];
  /** What would be deleted. */
  readonly deleted: readonly KubeObject[];
  readonly results: readonly PipelineEvent[];
  readonly context: JsonObject;
}

const STAMP = '2024-01-01T00:00:00Z';

/** The pipeline failed: nothing is composed and nothing deleted. It contains what Crossplane would still write. */
export class RenderError extends SlipwayError {
  /** The XR with the conditions about the failure, and the events. */
  readonly left: Pick<Rendered, 'composite' | 'results'>;
  /** The fatal result that ended the pipeline; undefined if a function could not be called. */
  readonly fatal: FatalResult | undefined;

  constructor(xr: KubeObject, cause: PipelineError, left: Pick<Rendered, 'composite' | 'results'>) {
    super('InvalidClaim', `cannot render ${describeObject(xr)}: ${cause.message}`);
    this.left = left;
    this.fatal = cause.fatal;
  }
}

/** Throws RenderError InvalidClaim if the pipeline fails. */
export async function renderOnce(
  claim: KubeObject,
  composition: KubeObject,
  renderContext: RenderContext,
): Promise<Rendered> {
  assertFits(claim, composition);
  const { observed = [], definition } = renderContext;
  const complete = definition === undefined ? claim : (withDefaults(claim, kindOfXrd(definition).schema) as KubeObject);
  const identified = withIdentity(complete);
  assertOwn(identified, observed);
  const start = found(identified, observed);
  if (isDeleting(start)) return onItsWayOut(start);
  const xr = prepared(start, composition);
  const known = new Map(observed.map((object) => [keyOf(refOf(object)), object]));
  const seen = observe({ find: (ref) => known.get(keyOf(ref)) }, xr);
  const selected = selection(claim, composition);
  const run = await runIt(xr, composition, seen, selected, renderContext);
  const { composed, events } = desiredState(xr, seen, run.resources, () => true);
  const outcomes = composed.map(({ key, ready }) => ({ key, ready, synced: true }));
  const keys = new Set(composed.map(({ key }) => key));
  const unready = outcomes.filter(({ ready }) => !ready).map(({ key }): PipelineEvent => notReady(key));
  return {
    composite: asPrinted(
      xr,
      run,
      outcomes,
      composed.map(({ resource }) => resource),
    ),
    composed: composed.map(({ resource }) => withStandingTime(resource)),
    deleted: [...seen]
      .filter(([key, { resource }]) => !keys.has(key) && controllerOf(resource) !== undefined)
      .map(([, { resource }]) => letGo(resource)),
    results: [...selected, ...run.events, ...events, ...unready],
    context: run.context,
  };
}

async function runIt(
  xr: KubeObject,
  composition: KubeObject,
  observed: ReturnType<typeof observe>,
  selected: readonly PipelineEvent[],
  renderContext: RenderContext,
): Promise<PipelineRun> {
  const { functions, now, context = {} } = renderContext;
  const objects = distinct([xr, ...(renderContext.observed ?? []), ...(renderContext.required ?? [])]);
  const world = {
    now: now ?? new Date(STAMP),
    functions,
    fetch: (selector: Selector) => fetchFrom(objects, selector),
    requiredBefore: () => new Map<string, Selector>(),
  };
  try {
    return await runPipeline(pipelineOf(composition), xr, observed, world, context);
  } catch (thrown) {
    if (!(thrown instanceof PipelineError)) throw thrown;
    const { composite, events } = failed(xr, thrown, STAMP);
    throw new RenderError(xr, thrown, { composite: withStandingTime(composite), results: [...selected, ...events] });
  }
}

/** A deleted resource no longer has the label of its XR: Crossplane removes it first. */
function letGo(resource: KubeObject): KubeObject {
  if (metaOf(resource).labels === undefined) return resource;
  const { [CROSSPLANE.composite]: _gone, ...labels } = labelsOf(resource);
  return withMeta(resource, { labels });
}

/** Crossplane composes nothing for an XR that is being deleted: its resources are deleted by their owner references. */
function onItsWayOut(xr: KubeObject): Rendered {
  const conditions = [falseCondition('Ready', 'Deleting'), trueCondition('Synced', 'ReconcileSuccess')];
  const composite = withStandingTime(marked(xr, conditions, STAMP, true));
  return { composite, composed: [], deleted: [], results: [], context: {} };
}

/**
 * What Crossplane checks before it renders: the Composition is for this kind and has the labels that the XR selects.
 */
function assertFits(claim: KubeObject, composition: KubeObject): void {
  const refuse = (cause: string): never => {
    throw new SlipwayError(
      'InvalidInput',
      `cannot render ${describeObject(claim)} with ${describeObject(composition)}: ${cause}`,
    );
  };
  const [apiVersion, kind] = ['apiVersion', 'kind'].map((key) =>
    stringAt(composition, 'spec', 'compositeTypeRef', key),
  );
  if (apiVersion === undefined || kind === undefined)
    refuse('its spec.compositeTypeRef has no apiVersion and kind; accepted: those of the claim');
  if (apiVersion !== claim.apiVersion || kind !== claim.kind)
    refuse(`it is for ${String(apiVersion)} ${String(kind)}, not for ${claim.apiVersion} ${claim.kind}`);
  for (const [label, value] of Object.entries(selectorLabels(claim, 'compositionSelector')))
    if (labelsOf(composition)[label] !== value)
      refuse(
        `its label ${label} is ${JSON.stringify(labelsOf(composition)[label] ?? '')}; the claim selects ${JSON.stringify(value)}`,
      );
}

function assertOwn(xr: KubeObject, observed: readonly KubeObject[]): void {
  for (const object of observed) {
    const controller = controllerOf(object);
    const { namespace } = metaOf(xr);
    if (controller !== undefined && controller.uid !== uidOf(xr))
      throw new SlipwayError(
        'InvalidObserved',
        `cannot render ${describeObject(xr)}: observed ${describeObject(object)} is controlled by somebody else`,
      );
    if (namespace !== undefined && metaOf(object).namespace !== namespace)
      throw new SlipwayError(
        'InvalidObserved',
        `cannot render ${describeObject(xr)}: observed ${describeObject(object)} is in another namespace`,
      );
  }
}

/** Crossplane's uid for an XR without one: always the same, so that references to it can be written by hand. */
function withIdentity(xr: KubeObject): KubeObject {
  const { namespace = '', name = '' } = metaOf(xr);
  const slash = xr.apiVersion.indexOf('/');
  const gvk = `${slash === -1 ? `/${xr.apiVersion}` : xr.apiVersion}, Kind=${xr.kind}`;
  const uid = uidOf(xr) === '' ? nameUuid([gvk, namespace, name].join('\0')) : uidOf(xr);
  return withMeta(xr, { uid, resourceVersion: '999' });
}

/** RFC 4122 version 5, in the name space of all zeros. */
function nameUuid(name: string): string {
  const bytes = createHash('sha1').update(Buffer.alloc(16)).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The XR at the start of a reconcile: with references to what is observed, and responsive. */
function found(xr: KubeObject, observed: readonly KubeObject[]): KubeObject {
  const refs = observed.map((object) => {
    const { apiVersion, kind, name, namespace } = refOf(object);
    return {
      apiVersion,
      kind,
      name,
      ...(metaOf(xr).namespace === undefined && namespace !== undefined ? { namespace } : {}),
    };
  });
  const responsive = marked(xr, [trueCondition('Responsive', 'WatchCircuitClosed')], STAMP, true);
  return observed.length === 0 ? responsive : withMachinery(responsive, { resourceRefs: refs });
}

/** The XR as functions see it, with its Composition and its name prefix. */
function prepared(xr: KubeObject, composition: KubeObject): KubeObject {
  const selected = withMachinery(xr, { compositionRef: { name: metaOf(composition).name ?? '' } });
  if ((labelsOf(xr)[CROSSPLANE.composite] ?? '') !== '') return selected;
  return withLabels(selected, { [CROSSPLANE.composite]: metaOf(xr).name ?? '' });
}

/** Only what a reconcile writes to an XR is printed: references and status. */
function asPrinted(
  xr: KubeObject,
  run: PipelineRun,
  outcomes: Parameters<typeof judged>[2],
  refs: Parameters<typeof persistedRefs>[1],
): KubeObject {
  const { name = '', namespace } = metaOf(xr);
  const written: KubeObject = {
    apiVersion: xr.apiVersion,
    kind: xr.kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    spec: { crossplane: { resourceRefs: persistedRefs(xr, refs) } },
    status: { ...run.status, conditions: xr.status?.['conditions'] },
  };
  return withStandingTime(judged(written, run, outcomes, STAMP));
}

function withStandingTime(object: KubeObject): KubeObject {
  const conditions = object.status?.['conditions'];
  if (!Array.isArray(conditions)) return object;
  const still = (conditions as readonly JsonObject[]).map((condition) => ({ ...condition, lastTransitionTime: STAMP }));
  return { ...object, status: { ...object.status, conditions: still } };
}

function selection(claim: KubeObject, composition: KubeObject): readonly PipelineEvent[] {
  const { name = '' } = metaOf(composition);
  if (compositionName(claim) === name) return [];
  return [{ severity: 'Normal', reason: 'SelectComposition', message: `Successfully selected composition: ${name}` }];
}

function notReady(key: string): PipelineEvent {
  return { severity: 'Normal', reason: 'ComposeResources', message: `Composed resource "${key}" is not yet ready` };
}

function fetchFrom(objects: readonly KubeObject[], selector: Selector): readonly KubeObject[] {
  const { apiVersion, kind, namespace = '', matchName, matchLabels } = selector;
  return objects
    .filter((object) => object.apiVersion === apiVersion && object.kind === kind)
    .filter(
      (object) =>
        (matchName === undefined ? namespace === '' : false) || (metaOf(object).namespace ?? '') === namespace,
    )
    .filter((object) => matchName === undefined || metaOf(object).name === matchName)
    .filter((object) => matches(object, matchLabels))
    .toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/** Of several objects with one name, the last counts; functions may also require observed objects. */
function distinct(objects: readonly KubeObject[]): readonly KubeObject[] {
  return [...new Map(objects.map((object) => [keyOf(refOf(object)), object])).values()];
}

function sortKey(object: KubeObject): string {
  const { namespace = '', name = '' } = metaOf(object);
  return `${namespace}/${name}`;
}
