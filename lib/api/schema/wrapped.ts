/**
 * Schemas that only say something about another one: optional, default and their like, and what is worked out of it.
 */
import { z } from 'zod';

/** What a schema wraps, one layer down; undefined when it is a schema of its own. */
export function wrappedBy(schema: z.ZodType): z.ZodType | undefined {
  // Of a transform it is what a document is read by.
  if (schema instanceof z.ZodPipe) return schema.in as z.ZodType;
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodReadonly;
  return wraps ? (schema.unwrap() as z.ZodType) : undefined;
}
