/** What a field accepts: its type, or its words, and what else a check wants of it. */
import { isJsonObject, type JsonObject } from '#lib/api/json.ts';
import { ACCEPTED } from './described.ts';
import { code } from './text.ts';

/** @param node  of `described` */
export function acceptedText(node: JsonObject): string {
  if (node['const'] !== undefined) return code(node['const']);
  if (Array.isArray(node['enum'])) return node['enum'].map(code).join(', ');
  if (Array.isArray(node['anyOf'])) return node['anyOf'].filter(isJsonObject).map(acceptedText).join(', or ');
  const words = typeof node[ACCEPTED] === 'string' ? node[ACCEPTED] : undefined;
  switch (node['type']) {
    case 'integer':
    case 'number':
      return `${node['type']}${range(node)}`;
    case 'array':
      return and(many('list', inner(node, 'items'), size(node)), words);
    case 'object':
      return isMap(node) ? and(many('map', inner(node, 'additionalProperties')), words) : objectText(node);
    case 'string':
      return node['contentEncoding'] === 'base64' ? 'base64' : (words ?? 'string');
    default:
      return typeof node['type'] === 'string' ? node['type'] : 'anything';
  }
}

/** An object whose keys are the writer's own. */
export function isMap(node: JsonObject): boolean {
  const { properties, additionalProperties: values } = node;
  return !isJsonObject(properties) && isJsonObject(values) && Object.keys(values).length > 0;
}

function objectText({ properties }: JsonObject): string {
  return isJsonObject(properties) ? 'object' : 'any object';
}

const PLURAL: Readonly<Record<string, string>> = {
  string: 'strings',
  boolean: 'booleans',
  integer: 'integers',
  object: 'objects',
  'any object': 'any objects',
  base64: 'base64',
};

function many(what: 'list' | 'map', one: JsonObject, size = ''): string {
  // Of a list of lists only its own size: two of them could not be told apart.
  const text = acceptedText(what === 'list' ? { ...one, minItems: null, maxItems: null } : one);
  const plural = PLURAL[text] ?? (/^(list|map) of /.test(text) ? text.replace(/^(list|map)/, '$1s') : undefined);
  return plural === undefined ? `${what}${size}, each: ${text}` : `${what} of ${plural}${size}`;
}

function inner(node: JsonObject, keyword: string): JsonObject {
  return isJsonObject(node[keyword]) ? node[keyword] : {};
}

function and(text: string, words: string | undefined): string {
  return words === undefined ? text : `${text}; ${words}`;
}

function range({ minimum, maximum }: JsonObject): string {
  const from = isBound(minimum) ? ` from ${minimum}` : '';
  return isBound(maximum) ? `${from} to ${maximum}` : from;
}

function size({ minItems, maxItems }: JsonObject): string {
  const least = isBound(minItems) && minItems > 0 ? `, at least ${minItems}` : '';
  return isBound(maxItems) ? `${least}, at most ${maxItems}` : least;
}

/** What a computer can count to says nothing: 2^53, which zod writes on every whole number, and 2^31. */
function isBound(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) < 2_147_483_647;
}
