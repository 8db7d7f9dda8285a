/** Rules a schema cannot say, once: as a check when we parse and as CEL when the API server validates. */
import { z } from 'zod';

export interface Rule<T> {
  /** CEL over `self`, as the API server runs it. Lists and strings it walks need maxItems and maxLength. */
  readonly cel: string;
  /** The same in TypeScript. */
  readonly holds: (value: T) => boolean;
  /** What is accepted, as a sentence without a subject: `must be odd`. */
  readonly message: string;
}

/** Attaches a rule to a schema, for both judges. */
export function withRule<S extends z.ZodType>(schema: S, rule: Rule<z.output<S>>): S {
  const checked = schema.refine(rule.holds as (value: unknown) => boolean, { error: rule.message });
  return withValidation(checked, { rule: rule.cel, message: rule.message });
}

/** A field that keeps its first value, because no change of it can be carried out. Only the API server sees both values. */
export function immutable<S extends z.ZodType>(schema: S, why: string): S {
  return withValidation(schema, { rule: 'self == oldSelf', message: `cannot be changed: ${why}` });
}

interface Validation {
  readonly rule: string;
  readonly message: string;
}

function withValidation<S extends z.ZodType>(schema: S, validation: Validation): S {
  const before = schema.meta()?.['x-kubernetes-validations'];
  const validations: readonly unknown[] = Array.isArray(before) ? [...(before as unknown[]), validation] : [validation];
  return schema.meta({ ...schema.meta(), 'x-kubernetes-validations': validations });
}

/** Any JSON object, kept as it is: another party's schema judges it. */
export function anyObject(): z.ZodType<Record<string, unknown>, Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).meta({ 'x-kubernetes-preserve-unknown-fields': true });
}

/** A value that no message may show: it is a secret or may hold one. */
export function secret<S extends z.ZodType>(schema: S): S {
  return schema.meta({ ...schema.meta(), secret: true });
}

const PERCENT = /^([0-9]|[1-9][0-9]|100)%$/;
const COUNT = 'is not accepted; accepted: a whole number from 0 or a percentage such as 25%';

/** A number or a percentage such as 25%. The bounds stand in the schema too: each is for one of the two types. */
export function intOrPercent(): z.ZodType<number | string, number | string> {
  return z
    .union([z.int().min(0, { error: COUNT }), z.string().regex(PERCENT, { error: COUNT })], { error: COUNT })
    .meta({ 'x-kubernetes-int-or-string': true, minimum: 0, pattern: PERCENT.source });
}
