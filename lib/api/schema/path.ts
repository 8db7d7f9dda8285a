/** The schemas that may apply at a path of a document: wrappers looked through, every branch of a union taken. */
import { own, stringAt } from '../json.ts';
import { z } from 'zod';
import { validationsIn } from './rules.ts';
import { wrappedBy } from './wrapped.ts';

/** The sorted keys of the object schema at a path; empty when there is none. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const keys = schemasAt(schema, path).flatMap((here) => (here instanceof z.ZodObject ? Object.keys(here.shape) : []));
  return [...new Set(keys)].toSorted();
}

/** What to write in place of an unknown field of the object at a path; undefined: nobody foresaw it. */
export function insteadAt(schema: z.ZodType, path: readonly PropertyKey[], key: string): string | undefined {
  return schemasAt(schema, path)
    .map((here) => stringAt(here.meta(), 'instead', key))
    .find((words) => words !== undefined);
}

/** The field that is meant by an unknown one, where a schema around it says so with `withOtherNames()`. */
export function otherNameAt(schema: z.ZodType, path: readonly PropertyKey[]): string | undefined {
  for (const depth of path.keys()) {
    const [around, wrote] = [path.slice(0, depth), path.slice(depth)];
    const field = schemasAt(schema, around)
      .map((here) => own((here.meta()?.['otherNames'] ?? {}) as Readonly<Record<string, string>>, wrote.join('.')))
      .find((found) => found !== undefined);
    if (field !== undefined) return field.startsWith('spec.') ? field : [...around, field].join('.');
  }
  return undefined;
}

/**
 * What the text at a path is to look like, in the words of its own error; undefined: it has none, or the value would do
 * as text.
 */
export function acceptedAt(schema: z.ZodType, path: readonly PropertyKey[], value: unknown): string | undefined {
  const texts = schemasAt(schema, path).filter((here) => here instanceof z.ZodString);
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  if (isScalar && texts.some((text) => text.safeParse(String(value)).success)) return undefined;
  const checks = texts.flatMap((here) => here._zod.def.checks ?? []);
  return checks.map(wordsOf).find((words) => words !== undefined);
}

/** Whether the schema at a path accepts this text. */
export function isTextAt(schema: z.ZodType, path: readonly PropertyKey[], text: string): boolean {
  return schemasAt(schema, path).some((here) => here instanceof z.ZodString && here.safeParse(text).success);
}

/** The words after `accepted:` of a check, if it has some. */
export function wordsOf({ _zod: { def } }: { readonly _zod: { readonly def: object } }): string | undefined {
  const { error } = def as { readonly error?: (issue: object) => unknown };
  const text = error?.({});
  return typeof text === 'string' ? text.split('; accepted: ')[1] : undefined;
}

/** What the API server says of the value at a path where a rule does not hold. */
export function rulesAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  return schemasAt(schema, path)
    .flatMap(validationsIn)
    .map(({ message }) => message);
}

/** Whether the value at a path, something around it or something that belongs in it is marked by `secret()`. */
export function isSecretAt(schema: z.ZodType, path: readonly PropertyKey[]): boolean {
  const around = path.map((_, depth) => path.slice(0, depth)).flatMap((prefix) => schemasAt(schema, prefix));
  return around.some(isMarked) || schemasAt(schema, path).some(holdsSecret);
}

/** A list of secrets that was written as one text is no less secret. */
function holdsSecret(schema: z.ZodType): boolean {
  return isMarked(schema) || membersOf(schema).flatMap(layersOf).some(holdsSecret);
}

function isMarked(schema: z.ZodType): boolean {
  return schema.meta()?.['secret'] === true;
}

/** Every schema that may apply at a path. */
export function schemasAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly z.ZodType[] {
  return path.reduce<readonly z.ZodType[]>(
    (here, key) => here.flatMap((one) => memberOf(one, key)).flatMap(layersOf),
    layersOf(schema),
  );
}

/** The schemas of a field, of the items of a list, or of the values of a record. */
export function memberOf(schema: z.ZodType, key: PropertyKey): readonly z.ZodType[] {
  if (schema instanceof z.ZodObject) {
    const member = own(schema.shape, String(key)) as z.ZodType | undefined;
    return member === undefined ? [] : [member];
  }
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType];
  if (schema instanceof z.ZodRecord) return [schema.valueType as z.ZodType];
  return [];
}

function membersOf(schema: z.ZodType): readonly z.ZodType[] {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape) as z.ZodType[];
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType];
  if (schema instanceof z.ZodRecord) return [schema.valueType as z.ZodType];
  return [];
}

/** A schema and everything it wraps, since a mark may stand on any of them. */
export function layersOf(schema: z.ZodType): readonly z.ZodType[] {
  const inner = wrappedBy(schema);
  if (inner !== undefined) return [schema, ...layersOf(inner)];
  if (schema instanceof z.ZodUnion)
    return [schema, ...schema.options.flatMap((option) => layersOf(option as z.ZodType))];
  return [schema];
}
