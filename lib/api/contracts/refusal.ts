/**
 * Contract "refusal", version 1: the machine-readable part of a fatal result. A function writes it under
 * CONTEXT.refusal next to the result, whose reason is the error code and whose message is for people. Crossplane
 * ignores the context of a failed response; `slipway plan` reads it. Optional: without it there is only the message.
 */
import { z } from 'zod';
import type { SlipwayError } from '../errors.ts';

export const Refusal = z.strictObject({
  contract: z.literal(1),
  /** Path of the field, such as spec.network.pods; empty if the error is about the whole object. */
  field: z.string(),
  /** What is wrong with the field, and what is accepted: the message without object and field. */
  reason: z.string(),
  /** The object that has the field, if it is another than the function was called for, such as an EnvironmentConfig. */
  object: z.strictObject({ kind: z.string(), namespace: z.string().optional(), name: z.string() }).optional(),
  /** Secrets that were created and are missing, if nothing else is wrong. */
  absentSecrets: z.array(z.strictObject({ namespace: z.string(), name: z.string() })).default([]),
});

export type Refusal = z.output<typeof Refusal>;

/** The contract for this error. */
export function refusalOf({
  message,
  field = '',
  reason = message,
  object,
  absentSecrets = [],
}: SlipwayError): Refusal {
  return { contract: 1, field, reason, ...(object && { object }), absentSecrets: [...absentSecrets] };
}
