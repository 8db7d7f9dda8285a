/** A node of a structural schema, and how server-side apply merges its values. */
import { isJsonObject } from '#lib/api/json.ts';
import type { OpenApiSchema } from '#lib/api/schema/structural.ts';

export type Schema = OpenApiSchema;

/** How a value is merged: member by member, item by item, or as a whole. */
export type Shape =
  | { readonly type: 'map' }
  | { readonly type: 'keyed-list'; readonly keys: readonly string[] }
  | { readonly type: 'set' }
  | { readonly type: 'atomic' };

const MAP: Shape = { type: 'map' };
const SET: Shape = { type: 'set' };
const ATOMIC: Shape = { type: 'atomic' };

/** The shape of a value; without a schema, an object is a map and a list is atomic, as in the API server. */
export function shapeOf(value: unknown, schema: Schema | undefined): Shape {
  if (Array.isArray(value)) return listShape(schema);
  if (!isJsonObject(value)) return ATOMIC;
  return schema?.['x-kubernetes-map-type'] === 'atomic' ? ATOMIC : MAP;
}

function listShape(schema: Schema | undefined): Shape {
  const keys = schema?.['x-kubernetes-list-map-keys'];
  switch (schema?.['x-kubernetes-list-type']) {
    case 'map':
      return { type: 'keyed-list', keys: Array.isArray(keys) ? keys.map(String) : [] };
    case 'set':
      return SET;
    default:
      return ATOMIC;
  }
}

/** The schema of a member of an object; undefined if there is none. */
export function memberSchema(schema: Schema | undefined, key: string): Schema | undefined {
  if (schema === undefined) return undefined;
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  const additional = schema['additionalProperties'];
  return isJsonObject(additional) ? additional : undefined;
}

/** Whether unknown members may stay. */
export function isOpen(schema: Schema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema['additionalProperties'] === true;
}

const owners: Schema = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['uid'] };

/** Metadata of every object, as far as merging needs it. */
export const METADATA: Schema = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    name: { type: 'string' },
    finalizers: { type: 'array', 'x-kubernetes-list-type': 'set' },
    ownerReferences: owners,
  },
};

/** Conditions of any object: one item per type. */
export const CONDITIONS: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
};

/** For kinds without a schema: everything is accepted, conditions merge by type. */
export const ANYTHING: Schema = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    metadata: METADATA,
    status: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { conditions: CONDITIONS },
    },
  },
};
