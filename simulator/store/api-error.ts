/** Errors of the API server, with the reasons of Kubernetes. */
import { type Issue, describeIssues } from '#lib/api/parse.ts';
import { type ObjectRef, describeRef, groupOf } from './ref.ts';

export type ApiReason = 'NotFound' | 'AlreadyExists' | 'Conflict' | 'Invalid' | 'BadRequest' | 'InUse' | 'Forbidden';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly reason: ApiReason;
  /** Fields and what is wrong with them, for Invalid and BadRequest. */
  readonly issues: readonly Issue[];

  constructor(reason: ApiReason, message: string, issues: readonly Issue[] = []) {
    super(message);
    this.reason = reason;
    this.issues = issues;
  }

  static is(thrown: unknown, ...reasons: readonly ApiReason[]): thrown is ApiError {
    return thrown instanceof ApiError && (reasons.length === 0 || reasons.includes(thrown.reason));
  }
}

export function notFound(ref: ObjectRef): ApiError {
  return new ApiError('NotFound', `${describeRef(ref)} not found`);
}

export function noSuchKind(apiVersion: string, kind: string): ApiError {
  return new ApiError('NotFound', `no matches for kind "${kind}" in version "${apiVersion}"`);
}

export function invalid(ref: ObjectRef, issues: readonly Issue[]): ApiError {
  const group = groupOf(ref.apiVersion);
  const kind = group === '' ? ref.kind : `${ref.kind}.${group}`;
  return new ApiError('Invalid', `${kind} "${ref.name}" is invalid: ${describeIssues(issues)}`, issues);
}

/** The error of server-side apply for a field that is not in the schema. */
export function undeclared(ref: ObjectRef, issues: readonly Issue[]): ApiError {
  const name = ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`;
  const fields = issues.map(({ path }) => `.${path}: field not declared in schema`).join(', ');
  return new ApiError(
    'BadRequest',
    `failed to create typed patch object (${name}; ${ref.apiVersion}, Kind=${ref.kind}): ${fields}`,
    issues,
  );
}
