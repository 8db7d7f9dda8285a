/** Violations of a structural schema, with field, value and what is accepted. */
import { counted } from '#lib/api/counted.ts';
import { isJsonObject } from '#lib/api/json.ts';
import { didYouMean, oneOf } from '#lib/api/nearest.ts';
import type { Issue } from '#lib/api/parse.ts';
import { type Schema, isOpen, memberSchema } from './node.ts';

/** Values that were found to fit a schema. Objects are never modified, and most of an object stays as it is. */
const sound = new WeakMap<object, Schema>();

/** All violations of a schema except unknown fields. `path` is the path of the value. */
export function violations(value: unknown, schema: Schema, path: string): readonly Issue[] {
  const issues: Issue[] = [];
  collect(value, schema, () => path, issues);
  return issues;
}

/** Texts of paths are made for violations alone. */
type Path = () => string;

function collect(value: unknown, schema: Schema, path: Path, issues: Issue[]): void {
  if (value === undefined) return;
  if (value === null) {
    if (schema['nullable'] !== true) issues.push(refusal(path(), value, article(schema)));
    return;
  }
  if (schema['x-kubernetes-int-or-string'] === true) {
    if (typeof value === 'string' || Number.isInteger(value)) collectBounds(value, schema, path, issues);
    else issues.push(refusal(path(), value, 'a whole number or a string'));
    return;
  }
  if (!hasType(value, schema.type)) issues.push(refusal(path(), value, article(schema)));
  else if (typeof value === 'object') collectMembers(value, schema, path, issues);
  else collectBounds(value, schema, path, issues);
}

function collectMembers(value: object, schema: Schema, path: Path, issues: Issue[]): void {
  if (sound.get(value) === schema) return;
  const before = issues.length;
  if (Array.isArray(value)) collectList(value, schema, path, issues);
  else if (isJsonObject(value)) collectObject(value, schema, path, issues);
  if (issues.length === before) sound.set(value, schema);
}

/** Values without unknown fields. */
const known = new WeakMap<object, Schema>();

/** Fields that the schema does not have. */
export function unknownFields(value: unknown, schema: Schema | undefined, path: string): readonly Issue[] {
  if (schema === undefined || typeof value !== 'object' || value === null) return [];
  if (known.get(value) === schema) return [];
  const issues = unknownMembers(value, schema, path);
  if (issues.length === 0) known.set(value, schema);
  return issues;
}

function unknownMembers(value: object, schema: Schema, path: string): readonly Issue[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => unknownFields(item, schema.items, `${path}[${index}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (member === undefined) return [];
    const child = memberSchema(schema, key);
    if (child !== undefined) return typeof member === 'object' ? unknownFields(member, child, join(path, key)) : [];
    if (isOpen(schema) || schema.type !== 'object') return [];
    const accepted = Object.keys(schema.properties ?? {}).toSorted();
    return [
      {
        path: join(path, key),
        message: `unknown field${accepted.length === 0 ? '' : `; accepted: ${oneOf(key, accepted)}`}`,
      },
    ];
  });
}

function collectList(value: readonly unknown[], schema: Schema, path: Path, issues: Issue[]): void {
  const { minItems, maxItems, items } = schema;
  if (typeof minItems === 'number' && value.length < minItems)
    issues.push(refusal(path(), value, `at least ${counted(minItems, 'item')}`));
  if (typeof maxItems === 'number' && value.length > maxItems)
    issues.push(refusal(path(), value, `at most ${counted(maxItems, 'item')}`));
  if (items === undefined) return;
  for (const [index, item] of value.entries()) collect(item, items, () => `${path()}[${index}]`, issues);
}

function collectObject(value: Readonly<Record<string, unknown>>, schema: Schema, path: Path, issues: Issue[]): void {
  const { required, minProperties, maxProperties } = schema;
  const keys = Object.keys(value);
  const size = keys.length;
  if (typeof minProperties === 'number' && size < minProperties)
    issues.push(refusal(path(), value, `at least ${counted(minProperties, 'member')}`));
  if (typeof maxProperties === 'number' && size > maxProperties)
    issues.push(refusal(path(), value, `at most ${counted(maxProperties, 'member')}`));
  for (const key of Array.isArray(required) ? required.map(String) : [])
    if (value[key] === undefined)
      issues.push({ path: join(path(), key), message: `is required${typeWord(schema, key)}` });
  for (const key of keys) {
    const child = memberSchema(schema, key);
    if (child !== undefined) collect(value[key], child, () => join(path(), key), issues);
  }
}

function collectBounds(value: unknown, schema: Schema, path: Path, issues: Issue[]): void {
  const { minimum, maximum, minLength, maxLength, pattern } = schema;
  const accepted = schema['enum'];
  if (Array.isArray(accepted) && !accepted.includes(value)) {
    const words = accepted.map((item) => JSON.stringify(item)).join(', ');
    issues.push(refusal(path(), value, `${words}${didYouMean(value, accepted.map(String))}`));
    return;
  }
  const refuse = (words: string): void => void issues.push(refusal(path(), value, words));
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum) refuse(`at least ${minimum}`);
    if (typeof maximum === 'number' && value > maximum) refuse(`at most ${maximum}`);
  }
  if (typeof value !== 'string') return;
  if (typeof minLength === 'number' && isShorter(value, minLength))
    refuse(`at least ${counted(minLength, 'character')}`);
  if (typeof maxLength === 'number' && isLonger(value, maxLength)) refuse(`at most ${counted(maxLength, 'character')}`);
  if (typeof pattern === 'string' && !expressionOf(pattern).test(value)) refuse(wordsFor(pattern, schema));
}

/** The API server counts characters, of which one may be two units of a text. */
function isLonger(text: string, most: number): boolean {
  return text.length > most && Array.from(text).length > most;
}

function isShorter(text: string, least: number): boolean {
  return text.length < 2 * least && Array.from(text).length < least;
}

const expressions = new Map<string, RegExp>();

function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const made = new RegExp(pattern, 'u');
  expressions.set(pattern, made);
  return made;
}

/** A field that is also a number is in quotes by mistake; percentages are the only such texts that are accepted. */
function wordsFor(pattern: string, schema: Schema): string {
  const isCount = schema['x-kubernetes-int-or-string'] === true && pattern.endsWith('%$');
  return isCount ? 'a whole number without quotes, or a percentage such as 25%' : `what matches ${pattern}`;
}

function refusal(path: string, value: unknown, accepted: string): Issue {
  return { path, message: `${show(value)} is not accepted; accepted: ${accepted}` };
}

function hasType(value: unknown, type: string | undefined): boolean {
  switch (type) {
    case undefined:
      return true;
    case 'object':
      return isJsonObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

const WORDS: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

function article(schema: Schema): string {
  return WORDS[schema.type ?? ''] ?? 'a value';
}

function typeWord(schema: Schema, key: string): string {
  const type = memberSchema(schema, key)?.type;
  return type === undefined ? '' : ` (${type})`;
}

function join(path: string, key: string): string {
  const member = /^[A-Za-z0-9_-]+$/.test(key) ? key : undefined;
  if (member === undefined) return `${path}["${key}"]`;
  return path === '' ? member : `${path}.${member}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
