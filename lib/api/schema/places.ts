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
 * The place of a field of this name that somebody wrote at the wrong level, near the object at a path. Undefined: there is
 * none, or there are several, or the object is an item of a list or a reference, which names something else, and so does a
 * field in one.
 */
export function placeOf(schema: z.ZodType, key: string, path: readonly PropertyKey[]): readonly string[] | undefined {
  const around = path.filter((step) => typeof step === 'string');
  const [root] = around;
  if (root === undefined || around.length < path.length || around.some(isReference)) return undefined;
  const found = schemasOf(schema, [root]).flatMap((one) =>
    fieldsOf({ names: [root], schema: one, isApart: false }, key),
  );
  const all = [...new Map(found.map((place) => [place.names.join('.'), place])).values()];
  const [nearest, next] = all
    .filter(({ isApart }) => !isApart)
    .map(({ names }) => ({ names, steps: stepsBetween(around, names.slice(0, -1)) }))
    .toSorted((a, b) => a.steps - b.steps);
  if (nearest === undefined || nearest.steps > FAR || nearest.steps === next?.steps) return undefined;
  // A word that says little, such as type, is only meant where it was nearly written.
  return nearest.steps === 1 || all.length === 1 ? nearest.names : undefined;
}

/** Levels up and down from one object to another. */
const FAR = 2;

const isReference = (name: string): boolean => /(Refs?|From|Selector)$/.test(name);

/** @param around  the object that has the field, by its names @param to  the other one */
function stepsBetween(around: readonly string[], to: readonly string[]): number {
  const shared = around.findIndex((name, depth) => name !== to[depth]);
  return around.length + to.length - 2 * (shared === -1 ? around.length : shared);
}

interface Place {
  readonly names: readonly string[];
  readonly schema: z.ZodType;
  /** In an item of a list, or in a reference. */
  readonly isApart: boolean;
}

/** Every field of a name below a place, also those of each branch of a union. */
function fieldsOf({ names, schema, isApart }: Place, key: string): readonly Place[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, member]) => {
    const place = { names: [...names, name], schema: member as z.ZodType, isApart };
    const below = layersOf(place.schema).flatMap((one) => {
      const isList = one instanceof z.ZodArray;
      return (isList ? itemsOf(one) : [one]).flatMap((inner) =>
        fieldsOf({ ...place, schema: inner, isApart: isApart || isList || isReference(name) }, key),
      );
    });
    return name === key ? [place, ...below] : below;
  });
}

/** The layers of a schema, and of the items of a list. */
function itemsOf(schema: z.ZodType): readonly z.ZodType[] {
  return layersOf(schema).flatMap((one) => (one instanceof z.ZodArray ? itemsOf(one.element as z.ZodType) : [one]));
}
