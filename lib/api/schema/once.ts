/** Lists that may have no value twice: our own line says which one it is. */
import type { z } from 'zod';
import { show } from '../issues.ts';

/** The first value that a list has a second time; undefined: each is there once. */
export function twice<T>(values: readonly T[]): T | undefined {
  return values.find((value, index) => values.indexOf(value) !== index);
}

/** `has the name "data" twice; accepted: each name once` @param what  a word for the value, such as name */
export function saidTwice(what: string, value: unknown): string {
  return `has the ${what} ${show(value)} twice; accepted: each ${what} once`;
}

/**
 * Refuses a value that two items have. In the API server the type of the list does, or a rule.
 * @param what  a word for the value, such as name
 */
export function eachOnce<Item extends z.ZodType>(
  schema: z.ZodArray<Item>,
  what: string,
  valueOf: (item: z.output<Item>) => string,
): z.ZodArray<Item> {
  return schema.superRefine((list, context) => {
    const value = twice(list.map(valueOf));
    if (value !== undefined) context.addIssue({ code: 'custom', message: saidTwice(what, value) });
  });
}
