/** Fields that the API server writes, and the parts of an object that are written apart. */
import type { KubeObject } from '#lib/api/json.ts';
import { metaOf, withMeta } from './object.ts';

const SERVER_FIELDS = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'managedFields',
] as const;

/** As a writer has it. */
export function withoutServerFields(object: KubeObject): KubeObject {
  return withMeta(object, Object.fromEntries(SERVER_FIELDS.map((field) => [field, undefined])));
}

/** What a writer cannot change stays as it is stored. */
export function withServerFieldsOf(object: KubeObject, live: KubeObject): KubeObject {
  return withMeta(object, Object.fromEntries(SERVER_FIELDS.map((field) => [field, metaOf(live)[field]])));
}

/** A write of the object leaves its status, and the other way round. */
export function withStatusOf(object: KubeObject, from: KubeObject): KubeObject {
  const { status: _status, ...rest } = object;
  return from.status === undefined ? rest : { ...rest, status: from.status };
}

/** Name and namespace, which a write of the status has of the metadata. */
export function identityOf(metadata: KubeObject['metadata']): NonNullable<KubeObject['metadata']> {
  const { name, namespace } = metadata ?? {};
  return { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) };
}

/** What counts for the generation. */
export function bodyOf(object: KubeObject): unknown {
  const { metadata: _metadata, status: _status, ...body } = object;
  return body;
}
