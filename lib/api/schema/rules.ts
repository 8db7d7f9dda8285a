/** Rules that a schema cannot express, defined once: as a check when we parse and as CEL in the API server. */
import { z } from 'zod';

export interface Rule<T> {
  /** CEL over `self`, as the API server runs it. Lists and strings it walks need maxItems and maxLength. */
  readonly cel: string;
  /** The same in TypeScript. */
  readonly holds: (value: T) => boolean;
  /** The field below the value that is to be changed; left out, the value itself. The API server says it in its message. */
  readonly field?: readonly string[];
  /** What is accepted, as a sentence without a subject: `must be odd`. */
  readonly message: string;
  /** Our own line where it can say more: the field below the value, and what is wrong with it. */
  readonly explain?: (value: T) => { readonly field: readonly string[]; readonly message: string };
}

/** Attaches a rule to a schema, for our parser and for the API server. */
export function withRule<S extends z.ZodType>(schema: S, rule: Rule<z.output<S>>): S {
  const { holds, explain, field, message } = rule;
  const checked =
    explain === undefined
      ? schema.refine(holds as (value: unknown) => boolean, {
          error: message,
          ...(field === undefined ? {} : { path: [...field] }),
        })
      : schema.superRefine((value, context) => {
          if (holds(value)) return;
          const found = explain(value);
          context.addIssue({ code: 'custom', path: [...found.field], message: found.message });
        });
  return withValidation(checked, { rule: rule.cel, message: named(field, message) });
}

/** How the message of an immutable field begins. */
export const KEPT = 'cannot be changed';

/** An immutable field, because a change of it cannot be carried out. Only the API server sees both values. */
export function immutable<S extends z.ZodType>(schema: S, why: string): S {
  return withValidation(schema, { rule: 'self == oldSelf', message: `${KEPT}: ${why}` });
}

/**
 * Optional immutable fields, which must not be added or removed either: a rule on the field itself does not run in
 * these cases.
 */
export function keepsPresence<S extends z.ZodObject>(
  schema: S,
  fields: Readonly<Partial<Record<keyof z.output<S> & string, string>>>,
): S {
  return Object.entries(fields).reduce<S>(
    (kept, [field, why]) =>
      withValidation(kept, {
        rule: `has(self.${field}) == has(oldSelf.${field})`,
        message: `${field} cannot be added or removed later: ${why}`,
      }),
    schema,
  );
}

/** A rule that only the API server checks, because the value can only be wrong on creation. */
export function onAdmission<S extends z.ZodType>(
  schema: S,
  { cel, field, message }: Pick<Rule<never>, 'cel' | 'field' | 'message'>,
): S {
  return withValidation(schema, { rule: cel, message: named(field, message) });
}

/** The API server names the value that a rule is about, which may be the whole object. */
function named(field: readonly string[] | undefined, message: string): string {
  return field === undefined ? message : `${field.join('.')} ${message}`;
}

export interface Validation {
  readonly rule: string;
  readonly message: string;
}

/** The rules attached to a schema itself. */
export function validationsIn(schema: z.ZodType): readonly Validation[] {
  const found = schema.meta()?.['x-kubernetes-validations'];
  return Array.isArray(found) ? (found as readonly Validation[]) : [];
}

function withValidation<S extends z.ZodType>(schema: S, validation: Validation): S {
  const validations = [...validationsIn(schema), validation];
  return schema.meta({ ...schema.meta(), 'x-kubernetes-validations': validations });
}

/**
 * Names of fields that people look for where there are none, and what they write instead: the line about an unknown
 * field says it. @param instead  by name
 */
export function withoutFields<S extends z.ZodType>(schema: S, instead: Readonly<Record<string, string>>): S {
  return schema.meta({ ...schema.meta(), instead });
}

/**
 * What other projects call fields below a schema of another party: the line about an unknown field says ours.
 * @param fields  by the path that people write, the path of the field below the schema, or one that begins with `spec.`
 */
export function withOtherNames<S extends z.ZodType>(schema: S, fields: Readonly<Record<string, string>>): S {
  return schema.meta({ ...schema.meta(), otherNames: fields });
}

/**
 * What people write in place of a text that a schema accepts: its refusal says the first of these that is accepted,
 * and tries no other spelling.
 * @param meant  by what they wrote, the likeliest first
 * @param isPlain  whether no secret looks like one, so that it is also meant by an object that has such a text alone
 */
export function meaning<S extends z.ZodString>(
  schema: S,
  meant: (wrote: string) => readonly string[],
  isPlain: boolean,
): S {
  return schema.meta({ ...schema.meta(), [isPlain ? 'meant' : 'meantByText']: meant });
}

/** A list with one item for each value of a field, so that several writers can each own an item. */
export function keyedBy<S extends z.ZodArray>(schema: S, key: string): S {
  return schema.meta({
    ...schema.meta(),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': [key],
  });
}

/** Any JSON object, kept as it is: another party's schema judges it. */
export function anyObject(): z.ZodType<Record<string, unknown>, Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).meta({ 'x-kubernetes-preserve-unknown-fields': true });
}

/** A value that no message may show: it is a secret or may contain one. */
export function secret<S extends z.ZodType>(schema: S): S {
  return schema.meta({ ...schema.meta(), secret: true });
}

const PERCENT = /^([0-9]|[1-9][0-9]|100)%$/;
const COUNT = 'is not accepted; accepted: a whole number from 0, without quotes, or a percentage such as 25%';

/** A number or a percentage such as 25%. The bounds stand in the schema too: each is for one of the two types. */
export function intOrPercent(): z.ZodType<number | string, number | string> {
  return z
    .union([z.int().min(0, { error: COUNT }), z.string().regex(PERCENT, { error: COUNT })], { error: COUNT })
    .meta({ 'x-kubernetes-int-or-string': true, minimum: 0, pattern: PERCENT.source });
}
