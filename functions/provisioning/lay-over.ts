/** Merges fields without overlap: with two values for one field, the winner would be arbitrary. */
import { isJsonObject, type JsonObject, own } from '#lib/api/json.ts';
import { refusalFor } from '#lib/api/refusal.ts';

/**
 * Throws InvalidClaim for a field that both have.
 * @param field where the claim sets the later ones: spec.provisioning.raw.bottlerocket
 * @param path dotted path of the field
 */
export function mergeDisjoint(
  base: JsonObject,
  later: JsonObject,
  field: string,
  owner: string,
  path = '',
): JsonObject {
  const added = Object.entries(later).map(([key, value]) => {
    const there = own(base, key);
    const place = path === '' ? key : `${path}.${key}`;
    if (there === undefined) return [key, value] as const;
    if (isJsonObject(there) && isJsonObject(value))
      return [key, mergeDisjoint(there, value, field, owner, place)] as const;
    throw refusalFor(
      owner,
      field,
      `writes ${place}, which is already written; accepted: only one of spec.provisioning, its raw and spec.bootstrap.config`,
    );
  });
  return { ...base, ...Object.fromEntries(added) };
}
