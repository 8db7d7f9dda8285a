/**
 * Contract "update progress", version 1: how a function that claimed fields reports the progress of its part of an
 * update. A function before the machine step in the pipeline of the Machine writes it under CONTEXT.updateProgress and
 * keeps what it finds. A claimant begins once the status of the Machine says that the update is Running, and reports
 * its result on every call from then on.
 */
import { z } from 'zod';
import { objectName } from '../fields/text.ts';

export const UpdateProgress = z.strictObject({
  contract: z.literal(1),
  updates: z
    .array(
      z.strictObject({
        /** The id of the update; reports about another one are ignored. */
        id: z.string().min(1).max(63),
        updater: objectName(),
        phase: z.enum(['Running', 'Succeeded', 'Failed']),
        /** One line for the user; it holds no secret. */
        message: z.string().min(1).max(256).optional(),
      }),
    )
    .max(64)
    .default([]),
});

export type UpdateProgress = z.output<typeof UpdateProgress>;
