/** Objects as people may read them: without the values of Secrets, also where other objects have them. */
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { type Mask, MASKED, maskOf } from '#lib/fn/masking/mask.ts';
import { isPublic, isSecret, openIn, secretsOf } from '#lib/fn/masking/secrets.ts';

/** Masks values of these Secrets, except for those that a claim among the objects writes openly. */
export function maskFor(objects: readonly KubeObject[]): Mask {
  const claims = objects.filter(({ apiVersion }) => apiVersion === API_VERSION);
  const open = new Set(claims.flatMap((claim) => [...openIn(claim)]));
  const secrets = secretsOf(objects).filter((secret) => !open.has(secret));
  return secrets.length === 0 ? (text) => text : maskOf(secrets);
}

/** @param known  all objects with Secrets that these may have values of */
export function maskedObjects(objects: readonly KubeObject[], known: readonly KubeObject[]): readonly KubeObject[] {
  const mask = maskFor([...objects, ...known]);
  return objects.map((object) => maskedTexts(object, mask) as KubeObject);
}

function maskedTexts(value: Json | undefined, mask: Mask): Json | undefined {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => maskedTexts(item, mask) ?? null);
  if (!isJsonObject(value)) return value;
  const { data, stringData, ...rest } = value;
  if (!isSecret(value)) return maskedMembers(value, mask);
  return {
    ...maskedMembers(rest, mask),
    ...(isJsonObject(data) ? { data: maskedData(data, 'base64') } : {}),
    ...(isJsonObject(stringData) ? { stringData: maskedData(stringData, 'utf8') } : {}),
  };
}

function maskedMembers(object: JsonObject, mask: Mask): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, member]) => [mask(key), maskedTexts(member, mask) ?? null]),
  );
}

/** The whole of each value: what it is made of is not known. */
function maskedData(data: JsonObject, encoding: 'base64' | 'utf8'): JsonObject {
  const shown = (value: Json | undefined): Json =>
    typeof value === 'string' && isPublic(Buffer.from(value, encoding).toString('latin1')) ? value : MASKED;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, shown(value)]));
}
