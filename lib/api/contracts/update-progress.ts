/**
 * Contract "update progress", version 1: how somebody who claimed fields tells how far their part of an update is. A
 * function in the Machine's pipeline before the machine step puts it under CONTEXT.updateProgress, each adding to what
 * it finds. A claimant begins once the Machine's status says that the update is Running; it tells its end at every
 * call from then on.
 */
import { z } from 'zod';
import { objectName } from '../fields/text.ts';

export const UpdateProgress = z.strictObject({
  contract: z.literal(1),
  updates: z
    .array(
      z.strictObject({
        /** The order of the Machine this is about; what is told about another is not heard. */
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
