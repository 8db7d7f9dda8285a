/** Every field of a schema that has no fields of its own, and what is meant where it is left out. */
import { z } from 'zod';
import type { Json } from '../json.ts';
import { wrappedBy } from '../schema/wrapped.ts';

export interface Leaf {
  /** Dotted, with `[]` for every item of a list: `spec.provisioning.files[].mode`. */
  readonly path: string;
  /** The value that stands for none; undefined: there is no default. */
  readonly otherwise: Json | undefined;
}

/** In the order of the schema. A map and a list of plain values are one field. */
export function leavesOf(schema: z.ZodType, path: string, otherwise?: Json): readonly Leaf[] {
  const inner = wrappedBy(schema);
  if (inner !== undefined) return leavesOf(inner, path, defaultOf(schema) ?? otherwise);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, member]) => leavesOf(member as z.ZodType, `${path}.${name}`));
  if (schema instanceof z.ZodArray && isObject(schema.element as z.ZodType))
    return leavesOf(schema.element as z.ZodType, `${path}[]`);
  return [{ path, otherwise }];
}

function isObject(schema: z.ZodType): boolean {
  const inner = wrappedBy(schema);
  return inner === undefined ? schema instanceof z.ZodObject : isObject(inner);
}

function defaultOf(schema: z.ZodType): Json | undefined {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return schema.def.defaultValue as Json;
  return undefined;
}
