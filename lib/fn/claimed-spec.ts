/** The spec of a claim as its author wrote it, beside the spec that was accepted before it. */
import { isJsonObject, type JsonObject, type KubeObject, sameJson } from '#lib/api/json.ts';

/** A spec without the fields that Crossplane writes; the fields that choose the Composition stay. */
export function claimedSpec(spec: JsonObject | undefined): JsonObject {
  const { crossplane, ...claimed } = spec ?? {};
  const { compositionSelector, compositionRef } = isJsonObject(crossplane) ? crossplane : {};
  const chosen = { ...(compositionSelector && { compositionSelector }), ...(compositionRef && { compositionRef }) };
  return { ...claimed, ...(Object.keys(chosen).length === 0 ? {} : { crossplane: chosen }) };
}

/** Whether the claim differs from the spec that was accepted; not if none was. */
export function isEdit({ spec }: KubeObject, accepted: JsonObject | undefined): boolean {
  return accepted !== undefined && !sameJson(claimedSpec(spec), accepted);
}

/** The claim with another spec, and with Crossplane's machinery as it is. @param spec  undefined: its own */
export function withSpec(claim: KubeObject, spec: JsonObject | undefined): KubeObject {
  if (spec === undefined) return claim;
  const { crossplane } = claim.spec ?? {};
  return { ...claim, spec: { ...spec, ...(crossplane === undefined ? {} : { crossplane }) } };
}
