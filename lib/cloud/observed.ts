/** Reads what a provider reports; invalid values are refused with the name of the object, never treated as unknown. */
import { SlipwayError } from '#lib/api/errors.ts';
import { whyNotReady as whyNotManaged } from '#lib/api/conditions.ts';
import { type Json, type KubeObject, at, isJsonObject, own } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';

/** A text of status.atProvider; undefined while the provider has not reported it. */
export function output(object: KubeObject | undefined, field: string): string | undefined {
  if (object === undefined) return undefined;
  const outputs = at(object, 'status', 'atProvider');
  if (outputs === undefined || outputs === null) return undefined;
  if (!isJsonObject(outputs)) throw garbage(object, 'status.atProvider', outputs, 'an object');
  const value = own(outputs, field);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw garbage(object, `status.atProvider.${field}`, value, 'a string');
  return value;
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

function garbage(object: KubeObject, field: string, value: Json, accepted: string): SlipwayError {
  const text = JSON.stringify(value);
  const shown = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return new SlipwayError(
    'InvalidObserved',
    `cannot read ${describeObject(object)}: ${field}: ${shown} is not accepted; accepted: ${accepted}`,
  );
}
