/**
 * Issues of zod as messages with field, value and what is accepted. A value that its schema marks as secret is never
 * shown.
 */
import type { z } from 'zod';
import { counted } from './counted.ts';
import { oneLine } from './errors.ts';
import { at } from './json.ts';
import { oneOf } from './nearest.ts';
import { otherName } from './other-names.ts';
import { shapeAt } from './schema/example.ts';
import { meantAt } from './schema/meant.ts';
import { acceptedAt, insteadAt, isSecretAt, isTextAt, keysAt, otherNameAt } from './schema/path.ts';
import { hasField, placeOf } from './schema/places.ts';
import { withoutUserinfo } from './shown-text.ts';

/** One error in a document, as text. */
export interface Issue {
  /** Dotted, with [i] for list items: `spec.network.pods`. Empty for the document itself. */
  readonly path: string;
  readonly message: string;
}

/** Of more unknown fields in one object, nobody reads which was meant, and to find that takes its time. */
const READ = 100;

/** How the message about one begins, which has no value in it. */
export const UNKNOWN_FIELD = 'unknown field';

export function issuesFrom(issue: z.core.$ZodIssue, schema: z.ZodType, document: unknown): readonly Issue[] {
  const path = formatPath(issue.path);
  const value = valueAt(document, issue.path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = keysAt(schema, issue.path);
      return issue.keys.map((key, index) => {
        const accepted =
          index < READ ? fieldsInstead(schema, issue.path, { key, wrote: at(value, key) }, known) : known.join(', ');
        const path = formatPath([...issue.path, key]);
        return { path, message: `${UNKNOWN_FIELD}${accepted === '' ? '' : `; accepted: ${accepted}`}` };
      });
    }
    case 'invalid_key':
      return issue.issues.map((inner) => ({ path, message: `its key ${oneLine(inner.message)}` }));
    case 'invalid_type': {
      const isSecret = isSecretAt(schema, issue.path);
      const shown = isSecret ? hidden(value) : value;
      const words =
        issue.expected === 'string'
          ? acceptedAt(schema, issue.path, value)
          : shapeAt(schema, issue.path, isSecret ? undefined : value);
      const what = words ?? article(issue.expected);
      if (value === undefined) return [{ path, message: required(what) }];
      const quotes =
        words === undefined ? quotesFor(shown, issue.expected) : quotesForDigits(schema, issue.path, words, shown);
      const mayBeEmpty = value === null && words === undefined && isTextAt(schema, issue.path, '');
      const empty = mayBeEmpty ? ', also an empty one: ""' : '';
      const meant = isSecret ? '' : meantText(schema, issue.path, value);
      return [{ path, message: withValue(shown, `${refused(`${what}${quotes}${empty}`)}${meant}`) }];
    }
    case 'invalid_value':
      if (value === undefined) return [{ path, message: required(issue.values.map(word).join(', ')) }];
      break;
    case 'invalid_union':
      if (value === undefined)
        return [{ path, message: oneLine(issue.message).replace(/^is not accepted/, 'is required') }];
      break;
    default:
  }
  if (isSecretAt(schema, issue.path)) return [{ path, message: withValue(hidden(value), oneLine(issue.message)) }];
  const isOfText = issue.code === 'invalid_format' || issue.code === 'custom';
  const meant = isOfText ? meantText(schema, issue.path, value) : '';
  return [{ path, message: withValue(value, `${oneLine(issue.message)}${meant}`) }];
}

/** `; did you mean "v1.35.4"?`, if the schema accepts such a text. */
function meantText(schema: z.ZodType, path: readonly PropertyKey[], value: unknown): string {
  const meant = meantAt(schema, path, value);
  return meant === undefined ? '' : `; did you mean "${withoutUserinfo(meant)}"?`;
}

/** What an object accepts in place of an unknown field: by its name in other projects, its place, or its letters. */
function fieldsInstead(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  { key, wrote }: { readonly key: string; readonly wrote: unknown },
  known: readonly string[],
): string {
  const instead = insteadAt(schema, path, key);
  if (instead !== undefined) return instead;
  const names = path.filter((step) => typeof step === 'string');
  const other = otherNameAt(schema, [...path, key]) ?? otherName(names, key, wrote, (field) => hasField(schema, field));
  if (other !== undefined) return `${known.join(', ')}; did you mean "${other}"?`;
  const place = placeOf(schema, key, path);
  return place === undefined ? oneOf(key, known) : `${known.join(', ')}; did you mean "${place.join('.')}"?`;
}

/** In place of a secret. Objects and lists are only named as such, without contents. */
const HIDDEN = Symbol('a value that no message may show');

function hidden(value: unknown): unknown {
  return typeof value === 'object' || value === undefined ? value : HIDDEN;
}

/** YAML reads 1 as a number and "1" as a text. */
function quotesFor(value: unknown, expected: string): string {
  if (expected === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
    return ` in quotes: "${value}"`;
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  return isNumber && (expected === 'number' || expected === 'int') ? ' without quotes' : '';
}

/** A text of digits, such as a checksum, that YAML reads as a number: its digits are lost, and so nothing can show them. */
function quotesForDigits(schema: z.ZodType, path: readonly PropertyKey[], words: string, value: unknown): string {
  const isDigits = typeof value === 'number' && value >= 0 && (Number.isInteger(value) || value === Infinity);
  return isDigits && !words.includes('quotes') && LENGTHS.some((length) => isTextAt(schema, path, '1'.repeat(length)))
    ? ', in quotes'
    : '';
}

/** Of texts of digits: the longest is a SHA-512 checksum. */
const LENGTHS = Array.from({ length: 128 }, (_, i) => i + 1);

/** A message about a value: `2 must be odd`. Objects and lists are only named as such. */
export function withValue(value: unknown, message: string): string {
  if (value === undefined) return message;
  if (value === HIDDEN) return withoutValue(message);
  return typeof value === 'object' && !message.startsWith('is ') ? message : `${show(value)} ${message}`;
}

/** The same about a value that may not be shown. @param message begins with is, must or another verb */
export function withoutValue(message: string): string {
  return `its value ${message}`;
}

function required(what: string): string {
  return `is required; accepted: ${what}`;
}

/**
 * What is accepted, after the value. zod calls it for schemas without their own message; undefined leaves the message
 * to zod.
 */
export function accepted(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_value':
      return refused(oneOf(issue.input, issue.values.map(word)));
    case 'invalid_type':
      return refused(article(issue.expected));
    case 'too_small':
      return refused(`at least ${bounded(issue.minimum, issue.origin)}`);
    case 'too_big':
      return refused(`at most ${bounded(issue.maximum, issue.origin)}`);
    case 'invalid_format':
      return refused(issue.format === 'regex' ? `text that matches ${issue.pattern ?? ''}` : `text in ${issue.format}`);
    case 'invalid_union': {
      const options: unknown = issue['options'];
      return Array.isArray(options) ? refused(oneOf(issue.input, options.map(word))) : 'is not accepted';
    }
    default:
      return undefined;
  }
}

function refused(what: string): string {
  return `is not accepted; accepted: ${what}`;
}

/** One of the values that a field may have, as a claim says it. */
function word(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : show(value);
}

function bounded(bound: number | bigint, origin: string): string {
  const unit = { string: 'character', array: 'item' }[origin];
  if (unit === undefined) return String(bound);
  return counted(bound, unit);
}

function valueAt(document: unknown, path: readonly PropertyKey[]): unknown {
  let here = document;
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Record<PropertyKey, unknown>)[key];
  }
  return here;
}

/** `spec.labels["example.com/team"]` */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const name = String(key);
    if (!/^[A-Za-z0-9_-]+$/.test(name)) return `${text}["${withoutUserinfo(name)}"]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

/** A value of a claim in a message: short, and without the user and password of a URL. */
export function show(value: unknown): string {
  if (Array.isArray(value) && value.length === 0) return 'an empty list';
  if (Array.isArray(value)) return `a list of ${counted(value.length, 'item')}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(typeof value === 'string' ? withoutUserinfo(value) : value) ?? String(value);
  if (text.length <= 60) return text;
  return typeof value === 'string' ? `${text.slice(0, 56)}..."` : `${text.slice(0, 57)}...`;
}

const WORDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  record: 'an object',
};

function article(expected: string): string {
  return WORDS[expected] ?? expected;
}
