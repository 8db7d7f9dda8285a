/**
 * Applies one object without writing: what the API server would store, or why it would refuse it. Schema, defaults and
 * rules that compare with the old object are checked as for a real write.
 */
import { type JsonObject, type KubeObject, at, isJsonObject } from '#lib/api/json.ts';
import { managedFields } from '#lib/api/managed-fields.ts';
import type { Issue } from '#lib/api/parse.ts';
import { ApiError } from '../store/api-error.ts';
import { kindOfCrd, kindOfXrd } from '../store/definitions.ts';
import { labelsOf, annotationsOf, withMeta } from '../store/object.ts';
import { withDefaults } from '../store/schema/defaults.ts';
import { Writing } from '../store/writing.ts';

/** What Crossplane and the tools of its users write to spec.crossplane besides the file of the claim. */
const KEPT = ['compositionRef', 'compositionRevisionRef', 'compositionUpdatePolicy', 'resourceRefs'] as const;

export type AppliedOnce =
  | { readonly stored: KubeObject }
  /** `wanted` is the claim with its defaults. */
  | { readonly refused: readonly Issue[]; readonly wanted: KubeObject };

/**
 * @param claim everything that its author wants: a field of spec that it does not have is removed, except replicas that
 * an autoscaler owns
 * @param live the stored object with its status; undefined: there is none
 * @param definition the XRD or CRD of the kind
 */
export function applyOnce(claim: KubeObject, live: KubeObject | undefined, definition: KubeObject): AppliedOnce {
  const isCrd = definition.kind === 'CustomResourceDefinition';
  const kind = isCrd ? kindOfCrd(definition) : kindOfXrd(definition, 'Automatic');
  const { status, ...before } = (live === undefined ? {} : withDefaults(live, kind.schema)) as Partial<KubeObject>;
  const old = live === undefined ? undefined : (before as KubeObject);
  const intent = laid(claim, old);
  try {
    const stored = new Writing(kind, intent, { strict: true }).result(old);
    return { stored: status === undefined ? stored : { ...stored, status } };
  } catch (thrown) {
    if (!ApiError.is(thrown)) throw thrown;
    const refused = thrown.issues.length > 0 ? thrown.issues : [{ path: '', message: thrown.message }];
    return { refused, wanted: withDefaults(intent, kind.schema) as KubeObject };
  }
}

function laid({ status: _status, ...claim }: KubeObject, live: KubeObject | undefined): KubeObject {
  if (live === undefined) return claim;
  const machinery = at(live, 'spec', 'crossplane');
  const kept = Object.entries(isJsonObject(machinery) ? machinery : {}).filter(([key]) =>
    KEPT.some((word) => word === key),
  );
  const crossplane = { ...Object.fromEntries(kept), ...(claim.spec?.['crossplane'] as JsonObject | undefined) };
  const merged = withMeta(claim, {
    ...live.metadata,
    labels: over(labelsOf(live), claim.metadata?.labels),
    annotations: over(annotationsOf(live), claim.metadata?.annotations),
  });
  const spec = { ...scaledSpec(live), ...claim.spec, ...(Object.keys(crossplane).length === 0 ? {} : { crossplane }) };
  return Object.keys(spec).length === 0 ? merged : { ...merged, spec };
}

/** What is no object is kept as it is, to be refused. */
function over<Marks>(live: Marks, claimed: Marks | undefined): Marks {
  return isJsonObject(claimed ?? {}) ? { ...live, ...claimed } : (claimed as Marks);
}

/**
 * Replicas written through the scale subresource: the applier of the other fields does not own them. Lists from kubectl
 * may not show this.
 */
function scaledSpec({ metadata, spec }: KubeObject): JsonObject {
  const replicas = spec?.['replicas'];
  const scaled = managedFields(metadata)?.some(
    ({ subresource, fields }) => subresource === 'scale' && at(fields, 'f:spec', 'f:replicas') !== undefined,
  );
  return scaled === true && replicas !== undefined ? { replicas } : {};
}
