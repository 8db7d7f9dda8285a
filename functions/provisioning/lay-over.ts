/** Fields laid over others, where nothing may be said twice: two who say one thing would leave it to chance who wins. */
import { isJsonObject, type JsonObject } from '#lib/api/json.ts';
import { refusalFor } from '#lib/api/refusal.ts';

/**
 * Throws InvalidClaim for a field that both have.
 * @param field  where the claim says the later ones: spec.provisioning.raw.bottlerocket
 * @param path  dotted, where the two stand
 */
export function laidOver(base: JsonObject, later: JsonObject, field: string, owner: string, path = ''): JsonObject {
  const added = Object.entries(later).map(([key, value]) => {
    const there = base[key];
    const place = path === '' ? key : `${path}.${key}`;
    if (there === undefined) return [key, value] as const;
    if (isJsonObject(there) && isJsonObject(value)) return [key, laidOver(there, value, field, owner, place)] as const;
    throw refusalFor(
      owner,
      field,
      `writes ${place}, which is already written; accepted: only one of spec.provisioning, its raw and spec.bootstrap.config`,
    );
  });
  return { ...base, ...Object.fromEntries(added) };
}
