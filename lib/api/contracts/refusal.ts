/**
 * Contract "refusal", version 1: what a program can act on of a fatal result. A function puts it under CONTEXT.refusal
 * beside the result, whose reason is the error code and whose message is for people. Crossplane reads no context of an
 * answer that failed; `slipway plan` does. Optional: without it the message is all there is.
 */
import { z } from 'zod';
import type { SlipwayError } from '../errors.ts';

export const Refusal = z.strictObject({
  contract: z.literal(1),
  /** Path of the field it is about, such as spec.network.pods; empty where it is about the object as a whole. */
  field: z.string(),
  /** What is wrong with the field, and what would be accepted: the message without the object and the field. */
  reason: z.string(),
  /** Secrets that were made and are not there, which is all that is wrong. */
  absentSecrets: z.array(z.strictObject({ namespace: z.string(), name: z.string() })).default([]),
});

export type Refusal = z.output<typeof Refusal>;

/** What a function that throws this error hands on. */
export function refusalOf({ message, field = '', reason = message, absentSecrets = [] }: SlipwayError): Refusal {
  return { contract: 1, field, reason, absentSecrets: [...absentSecrets] };
}
