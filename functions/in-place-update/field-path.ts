/** Field paths in rules and claims: which fields they match, and whether a kind has such a field. */
import { own } from '#lib/api/json.ts';
import { z } from 'zod';
import { wrappedBy } from '#lib/api/schema/wrapped.ts';
import type { Path } from './change.ts';

/** A key, or * for any item of a list. */
export type Step = string;

export function stepsOf(path: string): readonly Step[] {
  return [...path.matchAll(/\["(?<quoted>[^"]+)"\]|\[(?<any>\*)\]|(?<name>[^.[\]]+)/g)].map(
    ({ groups }) => groups?.['quoted'] ?? groups?.['any'] ?? groups?.['name'] ?? '',
  );
}

/** Whether a field matches the path, or lies below it. */
export function covers(steps: readonly Step[], path: Path): boolean {
  return (
    steps.length <= path.length &&
    steps.every((step, i) => (typeof path[i] === 'number' ? step === '*' : step === path[i]))
  );
}

/** Whether the wider path matches everything that the narrower one matches. */
export function includes(wider: readonly Step[], narrower: readonly Step[]): boolean {
  return wider.length <= narrower.length && wider.every((step, i) => step === narrower[i]);
}

/** The part of a concrete path that the pattern matches: spec.taints[0] for spec.taints[*] and spec.taints[0].value. */
export function named(steps: readonly Step[], path: Path): Path {
  return path.slice(0, steps.length);
}

/** How many leading steps of the path the schema has; all of them if the field exists, or if any field is allowed. */
export function knownSteps(schema: z.ZodType, steps: readonly Step[]): number {
  let here: z.ZodType | undefined = schema;
  for (const [i, step] of steps.entries()) {
    here = memberOf(unwrapped(here), step);
    if (here === undefined) return i;
    if (isOpen(unwrapped(here))) return steps.length;
  }
  return steps.length;
}

function memberOf(schema: z.ZodType, step: Step): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return own(schema.shape, step) as z.ZodType | undefined;
  if (schema instanceof z.ZodArray) return step === '*' ? (schema.element as z.ZodType) : undefined;
  if (schema instanceof z.ZodRecord) return step === '*' ? undefined : (schema.valueType as z.ZodType);
  return undefined;
}

/** Another party's schema validates this value. */
function isOpen(schema: z.ZodType): boolean {
  return schema instanceof z.ZodRecord && unwrapped(schema.valueType as z.ZodType) instanceof z.ZodUnknown;
}

function unwrapped(schema: z.ZodType): z.ZodType {
  const inner = wrappedBy(schema);
  return inner === undefined ? schema : unwrapped(inner);
}
