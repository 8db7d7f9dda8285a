/** What a value looks like that a schema accepts, for the line that refuses one of another type. */
import { z } from 'zod';
import { layersOf, schemasAt, wordsOf } from './path.ts';

/**
 * The object or list that belongs at a path, with the fields that it needs: `an object such as {name: <name>}`.
 * Undefined: the schema says no more of it than that.
 * @param wrote  what stands there; a text that one of the needed fields accepts is put there
 */
export function shapeAt(schema: z.ZodType, path: readonly PropertyKey[], wrote: unknown): string | undefined {
  const here = schemasAt(schema, path);
  const list = here.find((one) => one instanceof z.ZodArray);
  if (list !== undefined) return listShape(list.element as z.ZodType, wrote);
  const object = here.find((one) => one instanceof z.ZodObject);
  const example = object === undefined ? exampleOfRecord(here) : exampleOfObject(object, wrote);
  return example === undefined ? undefined : `an object such as ${example}`;
}

function exampleOfRecord(here: readonly z.ZodType[]): string | undefined {
  const values = here
    .filter((one) => one instanceof z.ZodRecord)
    .flatMap((one) => layersOf(one.valueType as z.ZodType));
  return values.some(isText) ? '{<name>: <text>}' : undefined;
}

function isText(schema: z.ZodType): schema is z.ZodString {
  return schema instanceof z.ZodString;
}

function listShape(element: z.ZodType, wrote: unknown): string {
  const example = exampleOf(element, '', wrote);
  if (example !== undefined && !example.startsWith('<')) return `a list such as [${example}]`;
  return layersOf(element).some(isText) ? 'a list of strings' : 'a list';
}

/** With the fields that it must have; if it needs none, with the first that has an example. */
function exampleOfObject(object: z.ZodObject, wrote: unknown): string | undefined {
  const fields = Object.entries(object.shape) as [string, z.ZodType][];
  const needed = fields.filter(([, field]) => !field.safeParse(undefined).success);
  if (needed.length > 0) {
    const given = needed.length === 1 ? wrote : undefined;
    return braced(needed.map(([name, field]) => [name, exampleOf(field, name, given) ?? `<${name}>`]));
  }
  for (const [name, field] of fields) {
    const example = exampleOf(field, name, undefined);
    if (example !== undefined && !example.startsWith('<')) return braced([[name, example]]);
  }
  return undefined;
}

function braced(fields: readonly (readonly [string, string])[]): string {
  return `{${fields.map(([name, example]) => `${name}: ${example}`).join(', ')}}`;
}

/** One value, as YAML says it; `<name>` where the schema shows none. */
function exampleOf(schema: z.ZodType, name: string, wrote: unknown): string | undefined {
  const layers = layersOf(schema);
  const preset = presetOf(layers);
  for (const one of layers) {
    if (one instanceof z.ZodObject) return exampleOfObject(one, undefined);
    if (one instanceof z.ZodArray) {
      const item = exampleOf(one.element as z.ZodType, name, undefined);
      return item === undefined ? undefined : `[${item}]`;
    }
    if (one instanceof z.ZodEnum) return preset ?? String(one.options[0]);
    if (one instanceof z.ZodBoolean) return preset ?? 'true';
    if (one instanceof z.ZodLiteral) return String(one.value);
    if (one instanceof z.ZodNumber) return preset ?? String(Math.max(one.minValue ?? 1, 1));
    if (isText(one)) return textOf(one, layers, preset ?? shown(one, wrote)) ?? `<${name}>`;
  }
  return undefined;
}

/** A default, which is the plainest example. */
function presetOf(layers: readonly z.ZodType[]): string | undefined {
  const value: unknown = layers.find((one) => one instanceof z.ZodDefault)?.def.defaultValue;
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

function shown(text: z.ZodString, wrote: unknown): string | undefined {
  return typeof wrote === 'string' && wrote !== '' && text.safeParse(wrote).success ? wrote : undefined;
}

/** As the error of the text or its description says: the word after "such as". */
function textOf(text: z.ZodString, layers: readonly z.ZodType[], value: string | undefined): string | undefined {
  if (value !== undefined) return PLAIN.test(value) ? value : JSON.stringify(value);
  const checks = text._zod.def.checks ?? [];
  const said = [...checks.map(wordsOf), ...layers.map(({ description }) => description)];
  return said.map((words) => /such as ([^\s,;]+[^\s,;.:])/.exec(words ?? '')?.[1]).find((word) => word !== undefined);
}

/** Needs no quotes in YAML. */
const PLAIN = /^[A-Za-z/][A-Za-z0-9_./-]*$/;
