/** Whether a spec is another one with defaults filled in, as the API server does it: most machines of a pool are. */
import { isJsonObject, own, type Json, type JsonObject, sameJson } from '#lib/api/json.ts';
import { withDefaults } from './specs.ts';

/**
 * True only if both mean the same: what is in both is equal, and what only `observed` has is a default of the schema of
 * Machines. Much cheaper than to read all specs of a group with this schema: the desired ones are few.
 */
export function isFilledIn(observed: JsonObject, desired: JsonObject): boolean {
  return isBetween(observed, desired, withDefaults(desired));
}

/** Whether `some` has all of `least`, and of `most`, which has every default, as much as it likes. */
function isBetween(some: Json | undefined, least: Json | undefined, most: Json | undefined): boolean {
  if (least === undefined) return isPartOf(some, most);
  if (isJsonObject(some) && isJsonObject(least)) {
    const keys = new Set([...Object.keys(some), ...Object.keys(least)]);
    return [...keys].every((key) => isBetween(own(some, key), own(least, key), ownOf(most, key)));
  }
  if (Array.isArray(some) && Array.isArray(least))
    return (
      some.length === least.length &&
      least.every((item: Json, i) =>
        isBetween(some[i] as Json, item, Array.isArray(most) ? (most[i] as Json) : undefined),
      )
    );
  return sameJson(some, least);
}

/** A default of an object, perhaps without the defaults in it. */
function isPartOf(some: Json | undefined, whole: Json | undefined): boolean {
  if (isJsonObject(some) && isJsonObject(whole))
    return Object.keys(some).every((key) => isPartOf(own(some, key), own(whole, key)));
  return some === undefined || sameJson(some, whole);
}

function ownOf(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) ? own(value, key) : undefined;
}
