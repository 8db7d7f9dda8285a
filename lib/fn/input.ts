/** Reads a step's input from the Composition. */
import type { z } from 'zod';
import { parseAs } from '#lib/api/parse.ts';
import { INPUT_API_VERSION } from '#lib/api/words.ts';
import type { Request } from './request.ts';

/**
 * The input, parsed strictly; none at all means every default. Throws InvalidInput naming field, value and what is accepted.
 * @param kind its kind, such as NodePoolInput
 */
export function readInput<T extends z.ZodType>(request: Request, schema: T, kind: string): z.output<T> {
  const input = request.input ?? { apiVersion: INPUT_API_VERSION, kind };
  const text = JSON.stringify(input);
  const last = latest.get(schema);
  if (last?.text === text) return last.value as z.output<T>;
  const value = parseAs(schema, input, inputName(kind), 'InvalidInput');
  latest.set(schema, { text, value });
  return value;
}

/** A step's input is the same in call after call: it is read once, and the very same object is given again. */
const latest = new WeakMap<z.ZodType, { readonly text: string; readonly value: unknown }>();

/** How messages call a step's input. */
export function inputName(kind: string): string {
  return `${kind} of the Composition`;
}
