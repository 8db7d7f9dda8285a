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
  return parseAs(schema, request.input ?? { apiVersion: INPUT_API_VERSION, kind }, inputName(kind), 'InvalidInput');
}

/** How messages call a step's input. */
export function inputName(kind: string): string {
  return `${kind} of the Composition`;
}
