/** Reads what a provider reports; a value of another type is refused with the name of the object. */
import { SlipwayError } from '#lib/api/errors.ts';
import { whyNotReady as whyNotManaged } from '#lib/api/conditions.ts';
import { type KubeObject, at, own } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';

/** A text of status.atProvider; undefined while the provider has not reported it. */
export function output(object: KubeObject | undefined, field: string): string | undefined {
  const value = at(object, 'status', 'atProvider', field);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  const cause = `status.atProvider.${field}: a ${typeof value} is not accepted; accepted: a string`;
  throw new SlipwayError('InvalidObserved', `cannot read ${describeObject(object ?? {})}: ${cause}`);
}

/**
 * Why a managed resource is not ready, including what others need of it; undefined if it is.
 * @param needed  of a kind, fields of status.atProvider without which it is not ready, whatever its conditions say
 */
export function whyNotReady(
  object: KubeObject | undefined,
  needed: Readonly<Record<string, readonly string[]>>,
): string | undefined {
  const why = whyNotManaged(object);
  if (why !== undefined || object === undefined) return why;
  const missing = (own(needed, object.kind) ?? []).find((field) => output(object, field) === undefined);
  return missing === undefined ? undefined : `${missing} not known yet`;
}
