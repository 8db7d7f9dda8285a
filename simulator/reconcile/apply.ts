/**
 * The writing part of a reconcile, in Crossplane's order: delete what is no longer desired, persist references, apply
 * what is desired, apply the status of the XR. A failed step stops the rest.
 */
import { messageOf } from '#lib/api/errors.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Observed } from '#lib/fn/request.ts';
import type { CrossplaneMinor } from '../interface.ts';
import { ApiError } from '../store/api-error.ts';
import { controllerOf, labelsOf, metaOf, uidOf, withMeta } from '../store/object.ts';
import { refOf } from '../store/ref.ts';
import type { Store } from '../store/store.ts';
import type { Composed } from './desired.ts';
import { persistedRefs, withMachinery } from './machinery.ts';
import { XR_MANAGER, composedManager } from './names.ts';
import type { PipelineEvent } from './pipeline.ts';
import type { ComposedOutcome } from './verdict.ts';

const MANAGER = 'crossplane';

export interface Applied {
  readonly outcomes: readonly ComposedOutcome[];
  readonly events: readonly PipelineEvent[];
}

/** Deletes observed resources that are no longer desired, in the foreground; 2.4 leaves those without a controller. */
export function collectGarbage(
  store: Store,
  xr: KubeObject,
  observed: ReadonlyMap<string, Observed>,
  composed: readonly Composed[],
  version: CrossplaneMinor,
): void {
  const desired = new Set(composed.map(({ key }) => key));
  for (const [key, { resource }] of observed) {
    if (desired.has(key)) continue;
    const controller = controllerOf(resource);
    if (controller === undefined && version !== '2.3') continue;
    const fail = (what: string, cause: string): never => {
      throw new Error(
        `cannot garbage collect composed resources that are no longer desired: ${what} (a ${resource.kind} named ${metaOf(resource).name ?? ''}): ${cause}`,
      );
    };
    if (controller !== undefined && controller.uid !== uidOf(xr))
      throw new Error(
        `cannot garbage collect composed resources that are no longer desired: refusing to delete composed resource "${key}" that is controlled by ${controller.kind} "${controller.name}"`,
      );
    try {
      const { [CROSSPLANE.composite]: _gone, ...labels } = labelsOf(resource);
      store.update(withMeta(resource, { labels, resourceVersion: undefined }), MANAGER);
    } catch (thrown) {
      if (!ApiError.is(thrown, 'NotFound'))
        fail(`cannot cleanup composed resource labels of resource "${key}"`, messageOf(thrown));
    }
    try {
      store.delete(refOf(resource), { propagation: 'Foreground', uid: uidOf(resource) });
    } catch (thrown) {
      if (!ApiError.is(thrown, 'NotFound')) fail(`cannot delete composed resource "${key}"`, messageOf(thrown));
    }
  }
}

/** Records what exists or will be created, before anything is created, so that nothing can be lost. */
export function persistRefs(store: Store, xr: KubeObject, composed: readonly Composed[]): void {
  const { name, namespace } = metaOf(xr);
  const refs = persistedRefs(
    xr,
    composed.map(({ resource }) => resource),
  );
  const intent: KubeObject = {
    apiVersion: xr.apiVersion,
    kind: xr.kind,
    metadata: { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) },
  };
  try {
    store.apply(withMachinery(intent, { resourceRefs: refs }), { manager: XR_MANAGER });
  } catch (thrown) {
    throw new Error(`cannot update composed resource references: ${messageOf(thrown)}`, { cause: thrown });
  }
}

/** Applies every desired resource; an invalid one causes an event and is not synced, any other error stops. */
export function applyComposed(store: Store, xr: KubeObject, composed: readonly Composed[]): Applied {
  const manager = composedManager(xr);
  const events: PipelineEvent[] = [];
  const outcomes = composed.map(({ key, resource, ready }): ComposedOutcome => {
    try {
      store.apply(resource, { manager });
      return { key, ready, synced: true };
    } catch (thrown) {
      const message = `cannot apply composed resource "${key}": ${messageOf(thrown)}`;
      if (!ApiError.is(thrown, 'Invalid')) throw new Error(message, { cause: thrown });
      events.push({ severity: 'Warning', reason: 'ComposeResources', message });
      return { key, ready, synced: false };
    }
  });
  return { outcomes, events };
}

/** Applies the status that functions desire, with the existing conditions of the XR. */
export function applyStatus(store: Store, xr: KubeObject, status: JsonObject): KubeObject {
  const conditions = xr.status?.['conditions'];
  const { name, namespace } = metaOf(xr);
  const intent: KubeObject = {
    apiVersion: xr.apiVersion,
    kind: xr.kind,
    metadata: { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) },
    status: { ...status, ...(conditions === undefined ? {} : { conditions }) },
  };
  try {
    return store.applyStatus(intent, XR_MANAGER);
  } catch (thrown) {
    throw new Error(`cannot apply composite resource status: ${messageOf(thrown)}`, { cause: thrown });
  }
}
