/** The largest spec that a schema accepts, as far as a request may be: every list and text is as long as asked for. */
import { isJsonObject, type Json, type JsonObject } from '#lib/api/json.ts';
import { textOf } from '../hostile/fields.ts';

interface Size {
  /** Of each list and map, if the schema allows as many. */
  readonly items: number;
  /** Of each text, if the schema allows as many. */
  readonly characters: number;
  /** Lists of this path, and those around it, are as long as the schema allows. */
  readonly wide?: string;
}

/** @param path  where it is in the claim */
export function largest(schema: JsonObject, size: Size, path = 'spec', index = 0): Json {
  const { items, properties, additionalProperties: values } = schema;
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as Json;
  if (schema['x-kubernetes-int-or-string'] === true) return 1;
  if (schema['type'] === 'string') return longText(schema, size.characters, index);
  if (schema['type'] === 'boolean') return true;
  if (schema['type'] === 'integer') return numberAt(schema, 'maximum') ?? numberAt(schema, 'minimum') ?? 1;
  if (isJsonObject(items)) {
    const isWide = size.wide === path || size.wide?.startsWith(`${path}[]`) === true;
    const count = Math.min(numberAt(schema, 'maxItems') ?? size.items, isWide ? Infinity : size.items);
    return Array.from({ length: count }, (_none, at) => largest(items, size, `${path}[]`, at));
  }
  const named = Object.entries(isJsonObject(properties) ? properties : {});
  if (isJsonObject(values)) {
    const count = Math.min(numberAt(schema, 'maxProperties') ?? size.items, size.items);
    const keys = Array.from({ length: count }, (_none, at) => `k${at}`);
    return Object.fromEntries(keys.map((key, at) => [key, largest(values, size, `${path}.*`, at)]));
  }
  return Object.fromEntries(
    named.map(([key, one]) => [key, largest(one as JsonObject, size, `${path}.${key}`, index)]),
  );
}

/** Paths of all lists. */
export function listsIn(schema: JsonObject, path = 'spec'): readonly string[] {
  const { items, properties } = schema;
  if (isJsonObject(items)) return [path, ...listsIn(items, `${path}[]`)];
  return Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([key, one]) =>
    listsIn(one as JsonObject, `${path}.${key}`),
  );
}

/** What is a key of a list is different in each item. */
function longText(schema: JsonObject, characters: number, index: number): string {
  const { pattern } = schema;
  const most = Math.min(numberAt(schema, 'maxLength') ?? characters, characters);
  const made = new RegExp(typeof pattern === 'string' ? pattern : '', 'u');
  const end = String(index);
  const long = ['a', '/a', 'a.a', 'https://a', '10.0.0.'].map((start) => start.padEnd(most - end.length, 'a') + end);
  const numbered = [`a${end}.conf`, `a${end}.service`, `10.0.${index % 250}.1`, `vm.a${end}`, `/dev/sd${end}`];
  return [...long, ...numbered].find((text) => text.length <= most && made.test(text)) ?? textOf(schema);
}

function numberAt(schema: JsonObject, key: string): number | undefined {
  const value = schema[key];
  return typeof value === 'number' ? value : undefined;
}
