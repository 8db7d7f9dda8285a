/** Every field of a schema, with those inside: one row each, in the schema's order. */
import { isJsonObject, type Json, type JsonObject } from '#lib/api/json.ts';
import { acceptedText, isMap } from './accepted.ts';
import { code, prose } from './text.ts';

export interface FieldRow {
  /** Place below the schema, such as `rules[].path`; `<name>` is any key of a map. */
  readonly path: string;
  /** What it accepts. */
  readonly accepted: string;
  /** What leaving it out means, or that it cannot be. */
  readonly given: string;
  readonly meaning: string;
}

/** @param node  of `described` @param path  of the node */
export function fieldRows(node: JsonObject, path = ''): readonly FieldRow[] {
  const properties = isJsonObject(node['properties']) ? node['properties'] : {};
  const required = new Set(Array.isArray(node['required']) ? node['required'] : []);
  return Object.entries(properties).flatMap(([name, child]) => {
    if (!isJsonObject(child)) return [];
    const here = path === '' ? name : `${path}.${name}`;
    return [rowOf(child, here, required.has(name)), ...inside(child, here)];
  });
}

function inside(node: JsonObject, path: string): readonly FieldRow[] {
  if (isJsonObject(node['items'])) return inside(node['items'], `${path}[]`);
  if (isMap(node) && isJsonObject(node['additionalProperties']))
    return inside(node['additionalProperties'], `${path}.<name>`);
  return fieldRows(node, path);
}

function rowOf(node: JsonObject, path: string, required: boolean): FieldRow {
  return { path, accepted: prose(acceptedText(node)), given: givenOf(node, required), meaning: meaningOf(node) };
}

function givenOf({ default: value }: JsonObject, required: boolean): string {
  if (value === undefined) return required ? 'required' : '';
  return isNothing(value) ? '' : code(value);
}

/** An empty list or object is what its absence means. */
function isNothing(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function meaningOf(node: JsonObject): string {
  const text = typeof node['description'] === 'string' ? prose(node['description']) : '';
  const secret = node['secret'] === true ? ' Holds secrets.' : '';
  return `${withWords(text, node['enum'])}${secret}`.trim();
}

/** A word that is accepted is code where the sentence explains it. */
function withWords(text: string, words: Json | undefined): string {
  if (!Array.isArray(words)) return text;
  return words
    .filter((word) => typeof word === 'string')
    .reduce((marked, word) => marked.replaceAll(new RegExp(`(?<=^|[.;] )${word}: `, 'g'), `${code(word)}: `), text);
}
