/** Parsing at the boundary: unknown JSON in, a typed value or one clear line out. */
import { z } from 'zod';
import { type ErrorCode, SlipwayError, oneLine } from './errors.ts';

/** One thing that is wrong with a document, already in words. */
export interface Issue {
  /** Dotted, with [i] for list items: `spec.network.pods`. Empty for the document itself. */
  readonly path: string;
  readonly message: string;
}

/**
 * Parses a document or throws one SlipwayError whose line names the document, and for up to three fields
 * their path, value and what is accepted.
 * @param what  how to call the document: `Cluster "team-a/prod"`
 */
export function parseAs<T extends z.ZodType>(
  schema: T,
  document: unknown,
  what: string,
  code: ErrorCode = 'InvalidClaim',
): z.output<T> {
  const result = schema.safeParse(document);
  if (result.success) return result.data;
  throw new SlipwayError(code, `cannot accept ${what}: ${describeIssues(issuesOf(schema, result.error, document))}`);
}

/** All issues of a failed parse, sorted by path, so that the line they make is always the same. */
export function issuesOf(schema: z.ZodType, error: z.ZodError, document: unknown): readonly Issue[] {
  return error.issues
    .flatMap((issue) => toIssues(issue, schema, document))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** At most three issues in one line, "and N more" after them. */
export function describeIssues(issues: readonly Issue[]): string {
  const shown = issues.slice(0, 3).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = issues.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

function toIssues(issue: z.core.$ZodIssue, schema: z.ZodType, document: unknown): readonly Issue[] {
  const path = formatPath(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const accepted = keysAt(schema, issue.path);
      return issue.keys.map((key) => ({
        path: formatPath([...issue.path, key]),
        message: `unknown field${accepted.length === 0 ? '' : `; accepted: ${accepted.join(', ')}`}`,
      }));
    }
    case 'invalid_value':
      return [
        {
          path,
          message: `${show(valueAt(document, issue.path))} is not accepted; accepted: ${issue.values.map(show).join(', ')}`,
        },
      ];
    case 'invalid_type':
      return valueAt(document, issue.path) === undefined
        ? [{ path, message: `is required (${issue.expected})` }]
        : [
            {
              path,
              message: `${show(valueAt(document, issue.path))} is not accepted; accepted: ${article(issue.expected)}`,
            },
          ];
    case 'too_small':
    case 'too_big': {
      const bound =
        issue.code === 'too_small' ? `at least ${String(issue.minimum)}` : `at most ${String(issue.maximum)}`;
      const one = (issue.code === 'too_small' ? issue.minimum : issue.maximum) === 1 ? '' : 's';
      const unit = issue.origin === 'string' ? ` character${one}` : issue.origin === 'array' ? ` item${one}` : '';
      return [{ path, message: `${show(valueAt(document, issue.path))} is not accepted; accepted: ${bound}${unit}` }];
    }
    default: {
      const value = valueAt(document, issue.path);
      const message = issue.message.startsWith('Invalid')
        ? `accepted: ${oneLine(issue.message)}`
        : oneLine(issue.message);
      return [{ path, message: withValue(value, message) }];
    }
  }
}

/** The sorted keys of the object schema at a path, wrappers such as optional and default looked through. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let here: z.ZodType | undefined = unwrapped(schema);
  for (const key of path) {
    if (here instanceof z.ZodObject) here = unwrapped(here.shape[String(key)] as z.ZodType | undefined);
    else if (here instanceof z.ZodArray) here = unwrapped(here.element as z.ZodType);
    else if (here instanceof z.ZodRecord) here = unwrapped(here.valueType as z.ZodType);
    else return [];
  }
  return here instanceof z.ZodObject ? Object.keys(here.shape).toSorted() : [];
}

function unwrapped(schema: z.ZodType | undefined): z.ZodType | undefined {
  let here = schema;
  while (
    here instanceof z.ZodOptional ||
    here instanceof z.ZodDefault ||
    here instanceof z.ZodPrefault ||
    here instanceof z.ZodNullable ||
    here instanceof z.ZodReadonly
  )
    here = here.unwrap() as z.ZodType;
  return here;
}

function valueAt(document: unknown, path: readonly PropertyKey[]): unknown {
  let here = document;
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Record<PropertyKey, unknown>)[key];
  }
  return here;
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const name = String(key);
    if (!/^[A-Za-z0-9_-]+$/.test(name)) return `${text}["${name}"]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

/** A message about a value: `2 must be odd`. Whole objects and lists are left out. */
export function withValue(value: unknown, message: string): string {
  return value === undefined || typeof value === 'object' ? message : `${show(value)} ${message}`;
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function article(expected: string): string {
  const words: Record<string, string> = {
    int: 'a whole number',
    number: 'a number',
    string: 'a string',
    boolean: 'true or false',
    object: 'an object',
    array: 'a list',
    record: 'an object',
  };
  return words[expected] ?? expected;
}
