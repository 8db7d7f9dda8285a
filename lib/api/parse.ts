/** Parsing at the boundary: unknown JSON in, a typed value or one clear line out. */
import type { z } from 'zod';
import { type ErrorCode, SlipwayError } from './errors.ts';
import { accepted, type Issue, issuesFrom } from './issues.ts';
import type { KubeObject } from './json.ts';
import { describeObject } from './names.ts';
import { atMostThree } from './shortened.ts';

export type { Issue } from './issues.ts';

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
  return parsed(schema, document, { what, code });
}

/** The same of an object that others wrote beside the claim: programs are told which one has the field. */
export function parseObject<T extends z.ZodType>(schema: T, object: KubeObject, code: ErrorCode): z.output<T> {
  const { namespace, name = '' } = object.metadata ?? {};
  const subject = { kind: object.kind, ...(namespace !== undefined && { namespace }), name };
  return parsed(schema, object, { what: describeObject(object), code, object: subject });
}

interface Subject {
  readonly what: string;
  readonly code: ErrorCode;
  readonly object?: SlipwayError['object'];
}

function parsed<T extends z.ZodType>(schema: T, document: unknown, { what, code, object }: Subject): z.output<T> {
  const result = schema.safeParse(document, { error: accepted });
  if (result.success) return result.data;
  const issues = issuesOf(schema, result.error, document);
  const field = issues[0]?.path ?? '';
  const described = describeIssues(issues);
  const reason = field === '' ? described : described.slice(`${field}: `.length);
  throw new SlipwayError(code, `cannot accept ${what}: ${described}`, { field, reason, ...(object && { object }) });
}

/**
 * The issues of a failed parse, sorted by path, so that the line they make is always the same. Of several about one
 * field the last is kept: a rule says more than a bound.
 */
export function issuesOf(schema: z.ZodType, error: z.ZodError, document: unknown): readonly Issue[] {
  const all = error.issues.flatMap((issue) => issuesFrom(issue, schema, document));
  return [...new Map(all.map((issue) => [issue.path, issue])).values()].sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : 0,
  );
}

export function describeIssues(issues: readonly Issue[]): string {
  return atMostThree(issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)));
}
