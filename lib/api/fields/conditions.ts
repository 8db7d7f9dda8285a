/** Conditions of an object, one for each type, as the API server merges them. */
import { z } from 'zod';
import { keyedBy } from '../schema/rules.ts';

/** @param types  the types that occur, for people who read the schema */
export function conditions(description: string, types?: readonly string[]) {
  const type = types === undefined ? 'Type of the condition.' : `${types.slice(0, -1).join(', ')} or ${types.at(-1)}.`;
  return keyedBy(
    z
      .array(
        z.looseObject({
          type: z.string().max(316).describe(type),
          status: z.string().describe('True, False or Unknown.'),
          reason: z.string().describe('One word.'),
          message: z.string().optional().describe('One line.'),
          lastTransitionTime: z.string().optional().describe('When the status changed.'),
          observedGeneration: z.int().optional().describe('Generation of the object that the condition is about.'),
        }),
      )
      .max(16),
    'type',
  )
    .optional()
    .describe(description);
}
