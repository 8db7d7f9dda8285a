/** A value that is in a Secret: the claim and its machines only have a reference to it. */
import { z } from 'zod';
import { withRule } from '../schema/rules.ts';

const SecretKey = z.strictObject({
  name: z
    .string()
    .max(253)
    .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, {
      error: 'is not the name of a Secret; accepted: lower-case letters, digits, - and .',
    })
    .describe(
      'Name of a Secret in the namespace of the claim. It needs the label slipway.dev/cluster with the name of the Cluster.',
    ),
  key: z
    .string()
    .max(253)
    .regex(/^[-._a-zA-Z0-9]+$/, { error: 'is not a key of a Secret; accepted: letters, digits, -, _ and .' })
    .describe('Key of the Secret.'),
});

export const ValueFrom = z.strictObject({ secret: SecretKey.describe('A key of a Secret.') });
export type ValueFrom = z.output<typeof ValueFrom>;

type Fields = Readonly<Record<string, unknown>>;

const has = (value: unknown, field: string): boolean => (value as Fields)[field] !== undefined;

/** Exactly one of a field and its reference: `content` and `contentFrom`. */
export function oneOfBoth<S extends z.ZodObject>(schema: S, field: string): S {
  return withRule(schema, {
    cel: `has(self.${field}) != has(self.${field}From)`,
    holds: (value) => has(value, field) !== has(value, `${field}From`),
    message: `must have ${field} or ${field}From, and not both`,
  });
}

export function notBoth<S extends z.ZodObject>(schema: S, field: string): S {
  return withRule(schema, {
    cel: `!(has(self.${field}) && has(self.${field}From))`,
    holds: (value) => !has(value, field) || !has(value, `${field}From`),
    message: `must not have both ${field} and ${field}From`,
  });
}

/** A reference, and its place: `proxy.httpFrom`. */
export interface Reference {
  readonly field: string;
  readonly from: ValueFrom;
}

/** Every reference in a document, by the names of fields: they end with From. */
export function referencesIn(document: unknown, field = ''): readonly Reference[] {
  if (Array.isArray(document)) return document.flatMap((item, index) => referencesIn(item, `${field}[${index}]`));
  if (typeof document !== 'object' || document === null) return [];
  if (/From(\[[0-9]+\])?$/.test(field)) return [{ field, from: document as ValueFrom }];
  return Object.entries(document).flatMap(([name, value]) =>
    // Fields of a format are not ours.
    name === 'raw' ? [] : referencesIn(value, field === '' ? name : `${field}.${name}`),
  );
}
