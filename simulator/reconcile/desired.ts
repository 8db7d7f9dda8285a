/**
 * The desired state of a pipeline as Crossplane applies it: with the name of the observed object, the namespace of the
 * XR, its labels, the composition resource name and the XR as controller.
 */
import { messageOf } from '#lib/api/errors.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import type { Desired, Observed } from '#lib/fn/request.ts';
import {
  annotationsOf,
  controllerOf,
  labelsOf,
  metaOf,
  ownersOf,
  uidOf,
  withMeta,
  isSubdomain,
} from '../store/object.ts';
import { childName } from './names.ts';
import type { PipelineEvent } from './pipeline.ts';

export interface Composed {
  readonly key: string;
  readonly resource: KubeObject;
  readonly ready: boolean;
}

export interface DesiredState {
  /** Sorted by composition resource name. */
  readonly composed: readonly Composed[];
  readonly events: readonly PipelineEvent[];
}

/** @param isNamespaced whether a kind is namespaced; throws if no API server serves it */
export function desiredState(
  xr: KubeObject,
  observed: ReadonlyMap<string, Observed>,
  desired: ReadonlyMap<string, Desired>,
  isNamespaced: (apiVersion: string, kind: string) => boolean,
): DesiredState {
  const events: PipelineEvent[] = [];
  const composed = [...desired]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { resource, ready }]): Composed => {
      const named = withObservedName(resource, observed.get(key)?.resource);
      const { namespace } = metaOf(xr);
      const own = metaOf(named).namespace;
      if (namespace !== undefined && own === undefined) assertNamespaced(key, named, isNamespaced);
      if (namespace !== undefined && own !== undefined && own !== namespace)
        events.push({
          severity: 'Warning',
          reason: 'NamespaceOverridden',
          message: `cannot create composed resource "${key}" in namespace "${own}", using XR namespace "${namespace}" instead`,
        });
      const complete = withGeneratedName(withComposedMetadata(named, xr, key), xr, key);
      const { name = '' } = metaOf(complete);
      if (!isSubdomain(name))
        throw new Error(
          `cannot apply composed resource "${key}" because it has an invalid name "${name}". Must be a valid RFC 1123 subdomain name.`,
        );
      return { key, resource: complete, ready: ready === 'True' };
    });
  return { composed, events };
}

function withObservedName(resource: KubeObject, observed: KubeObject | undefined): KubeObject {
  if (observed === undefined) return resource;
  const { namespace, name, generateName } = metaOf(observed);
  return withMeta(resource, { namespace, name, generateName });
}

function assertNamespaced(
  key: string,
  resource: KubeObject,
  isNamespaced: (apiVersion: string, kind: string) => boolean,
): void {
  const what = `${resource.kind} named ${metaOf(resource).name ?? ''}`;
  let namespaced: boolean;
  try {
    namespaced = isNamespaced(resource.apiVersion, resource.kind);
  } catch (thrown) {
    const cause = messageOf(thrown);
    throw new Error(`cannot check if composed resource "${key}" is namespaced (a ${what}): ${cause}`, {
      cause: thrown,
    });
  }
  if (!namespaced)
    throw new Error(
      `cannot apply cluster scoped composed resource "${key}" (a ${what}) for a namespaced composite resource.`,
    );
}

function withComposedMetadata(resource: KubeObject, xr: KubeObject, key: string): KubeObject {
  const prefix = labelsOf(xr)[CROSSPLANE.composite] ?? '';
  const { name, generateName, namespace } = metaOf(resource);
  const controller = controllerOf(resource);
  if (controller !== undefined && controller.uid !== uidOf(xr))
    throw new Error(
      `cannot render metadata for composed resource "${key}": cannot set controller reference: ${name ?? ''} is already controlled by ${controller.kind} ${controller.name} (UID ${controller.uid})`,
    );
  const owner = {
    apiVersion: xr.apiVersion,
    kind: xr.kind,
    name: metaOf(xr).name ?? '',
    uid: uidOf(xr),
    controller: true,
    blockOwnerDeletion: true,
  };
  return withMeta(resource, {
    ...(name === undefined && generateName === undefined ? { generateName: `${prefix}-` } : {}),
    namespace: metaOf(xr).namespace ?? namespace,
    annotations: { ...annotationsOf(resource), [CROSSPLANE.compositionResourceName]: key },
    labels: { ...labelsOf(resource), [CROSSPLANE.composite]: prefix },
    ownerReferences: [...ownersOf(resource).filter(({ uid }) => uid !== owner.uid), owner],
  });
}

function withGeneratedName(resource: KubeObject, xr: KubeObject, key: string): KubeObject {
  const { name, generateName } = metaOf(resource);
  if (name !== undefined && name !== '') return resource;
  return withMeta(resource, { name: childName(generateName ?? '', uidOf(xr), key) });
}
