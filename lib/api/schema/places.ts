/** Where the fields of a schema stand, by their names alone: wrappers and the items of lists are looked through. */
import { z } from 'zod';
import { layersOf, memberOf } from './path.ts';

/** Whether an object has such a field, by its names alone: the items of a list are looked through. */
export function hasField(schema: z.ZodType, names: readonly string[]): boolean {
  return schemasOf(schema, names).length > 0;
}

/** The names of the fields of the object at some names. */
export function keysOf(schema: z.ZodType, names: readonly string[]): readonly string[] {
  return schemasOf(schema, names).flatMap((here) => (here instanceof z.ZodObject ? Object.keys(here.shape) : []));
}

function schemasOf(schema: z.ZodType, names: readonly string[]): readonly z.ZodType[] {
  return names.reduce<readonly z.ZodType[]>(
    (here, name) => here.flatMap((one) => memberOf(one, name)).flatMap(itemsOf),
    itemsOf(schema),
  );
}

/**
 * The one place of a field of this name below the object at some names, and nearer to it than any other: what stands at
 * the wrong level. Undefined: there is none, or there are several, or it is in the items of a list or in a reference, which
 * name something else.
 */
export function placeOf(schema: z.ZodType, key: string, from: readonly string[]): readonly string[] | undefined {
  let level: readonly Place[] = schemasOf(schema, from).map((one) => ({ names: from, schema: one }));
  if (key === 'name') return undefined;
  while (level.length > 0) {
    const below = level.flatMap(fieldsOf);
    const found = new Set(below.filter(({ names }) => names.at(-1) === key).map(({ names }) => names.join('.')));
    if (found.size > 0) return found.size === 1 ? [...found][0]?.split('.') : undefined;
    level = below.flatMap(({ names, schema: member }) => layersOf(member).map((one) => ({ names, schema: one })));
  }
  return undefined;
}

interface Place {
  readonly names: readonly string[];
  readonly schema: z.ZodType;
}

function fieldsOf({ names, schema }: Place): readonly Place[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).map(([name, member]) => ({
    names: [...names, name],
    schema: member as z.ZodType,
  }));
}

/** The layers of a schema, and of the items of a list. */
function itemsOf(schema: z.ZodType): readonly z.ZodType[] {
  return layersOf(schema).flatMap((one) => (one instanceof z.ZodArray ? itemsOf(one.element as z.ZodType) : [one]));
}
