/** The fields that the provider of a cloud has for each kind, as the schemas of its CRDs state them. */
import type { Json } from './json.ts';

/** By kind, each as the JSON text of its fields: only the kinds that a claim overrides are read. */
export type KindFields = Readonly<Record<string, string>>;

/**
 * Of a field: `string`, `number`, `integer`, `boolean` or `any`; a list with what its items are; a map of others with
 * the key `*`; values with the key `=`; or fields by name. A name may end with marks.
 */
export type Field = string | readonly [Field] | { readonly [name: string]: Field | readonly Json[] };

/** Marks at the end of a name. */
export const MARK = {
  /** The provider requires it: it cannot be taken away. */
  required: '!',
  /** The provider would have to replace the object for another value, and refuses. */
  fixed: '~',
  /** It is in spec.forProvider alone. */
  notInitial: '-',
} as const;
