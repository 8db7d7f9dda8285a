/**
 * Kubernetes objects as every function may rely on them: text where the API server has text. It ensures that for what
 * exists; what other functions of a pipeline desire, and what tests send, may be anything.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';

const TEXTS = ['name', 'generateName', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp'] as const;

/**
 * The object itself unless its metadata has null, which means the same as nothing: programs in Go write it. Throws
 * BrokenContract naming the field.
 */
export function objectFrom(resource: JsonObject): KubeObject {
  for (const field of ['apiVersion', 'kind']) if (!isText(resource[field])) throw wrong(field, 'text');
  for (const field of ['spec', 'status'])
    if (!isAbsent(resource[field]) && !isJsonObject(resource[field])) throw wrong(field, 'an object');
  const { metadata } = resource;
  if (isAbsent(metadata)) return (metadata === null ? withoutNulls(resource, ['metadata']) : resource) as KubeObject;
  if (!isJsonObject(metadata)) throw wrong('metadata', 'an object');
  for (const field of TEXTS)
    if (!isAbsent(metadata[field]) && !isText(metadata[field])) throw wrong(`metadata.${field}`, 'text');
  for (const field of ['labels', 'annotations']) {
    const marks = metadata[field];
    if (isAbsent(marks)) continue;
    if (!isJsonObject(marks) || !Object.values(marks).every(isText))
      throw wrong(`metadata.${field}`, 'an object of texts');
  }
  if (!Object.values(metadata).includes(null)) return resource as KubeObject;
  return { ...resource, metadata: withoutNulls(metadata, Object.keys(metadata)) } as unknown as KubeObject;
}

/** A copy, also of what is kept under symbols. */
function withoutNulls(object: JsonObject, keys: readonly string[]): JsonObject {
  const copy: Record<string, Json | undefined> = { ...object };
  for (const key of keys) if (copy[key] === null) delete copy[key];
  return copy;
}

const isText = (value: Json | undefined): boolean => typeof value === 'string';
const isAbsent = (value: Json | undefined): value is null | undefined => value === undefined || value === null;

function wrong(field: string, accepted: string): SlipwayError {
  return new SlipwayError('BrokenContract', `cannot read a resource of the message: ${field} is not ${accepted}`);
}
