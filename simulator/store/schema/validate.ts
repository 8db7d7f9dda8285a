/** Violations of a structural schema, with field, value and what is accepted. */
import { isJsonObject } from '#lib/api/json.ts';
import type { Issue } from '#lib/api/parse.ts';
import { type Schema, isOpen, memberSchema } from './node.ts';

/** All violations of a schema except unknown fields. `path` is the path of the value. */
export function violations(value: unknown, schema: Schema, path: string): readonly Issue[] {
  if (value === undefined) return [];
  if (value === null) return schema['nullable'] === true ? [] : [refusal(path, value, article(schema))];
  if (schema['x-kubernetes-int-or-string'] === true)
    return typeof value === 'string' || Number.isInteger(value)
      ? [...bounds(value, schema, path)]
      : [refusal(path, value, 'a whole number or a string')];
  if (!hasType(value, schema.type)) return [refusal(path, value, article(schema))];
  if (Array.isArray(value)) return [...listIssues(value, schema, path)];
  if (isJsonObject(value)) return [...objectIssues(value, schema, path)];
  return [...bounds(value, schema, path)];
}

/** Fields that the schema does not have. */
export function unknownFields(value: unknown, schema: Schema | undefined, path: string): readonly Issue[] {
  if (schema === undefined) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) => unknownFields(item, schema.items, `${path}[${index}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (member === undefined) return [];
    const child = memberSchema(schema, key);
    if (child !== undefined) return unknownFields(member, child, join(path, key));
    if (isOpen(schema) || schema.type !== 'object') return [];
    const accepted = Object.keys(schema.properties ?? {}).toSorted();
    return [
      {
        path: join(path, key),
        message: `unknown field${accepted.length === 0 ? '' : `; accepted: ${accepted.join(', ')}`}`,
      },
    ];
  });
}

function* listIssues(value: readonly unknown[], schema: Schema, path: string): Generator<Issue> {
  const { minItems, maxItems } = schema;
  if (typeof minItems === 'number' && value.length < minItems) yield refusal(path, value, `at least ${minItems} items`);
  if (typeof maxItems === 'number' && value.length > maxItems) yield refusal(path, value, `at most ${maxItems} items`);
  for (const [index, item] of value.entries())
    if (schema.items !== undefined) yield* violations(item, schema.items, `${path}[${index}]`);
}

function* objectIssues(value: Readonly<Record<string, unknown>>, schema: Schema, path: string): Generator<Issue> {
  const { required, minProperties, maxProperties } = schema;
  const size = Object.keys(value).length;
  if (typeof minProperties === 'number' && size < minProperties)
    yield refusal(path, value, `at least ${minProperties} members`);
  if (typeof maxProperties === 'number' && size > maxProperties)
    yield refusal(path, value, `at most ${maxProperties} members`);
  for (const key of Array.isArray(required) ? required.map(String) : [])
    if (value[key] === undefined) yield { path: join(path, key), message: `is required${typeWord(schema, key)}` };
  for (const [key, member] of Object.entries(value)) {
    const child = memberSchema(schema, key);
    if (child !== undefined) yield* violations(member, child, join(path, key));
  }
}

function* bounds(value: unknown, schema: Schema, path: string): Generator<Issue> {
  const { minimum, maximum, minLength, maxLength, pattern } = schema;
  const accepted = schema['enum'];
  if (Array.isArray(accepted) && !accepted.includes(value)) {
    yield refusal(path, value, accepted.map((item) => JSON.stringify(item)).join(', '));
    return;
  }
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum) yield refusal(path, value, `at least ${minimum}`);
    if (typeof maximum === 'number' && value > maximum) yield refusal(path, value, `at most ${maximum}`);
  }
  if (typeof value !== 'string') return;
  const length = Array.from(value).length;
  if (typeof minLength === 'number' && length < minLength)
    yield refusal(path, value, `at least ${minLength} characters`);
  if (typeof maxLength === 'number' && length > maxLength)
    yield refusal(path, value, `at most ${maxLength} characters`);
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value))
    yield refusal(path, value, wordsFor(pattern, schema));
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
