/** What the Composition tells the nodepool step. */
import { z } from 'zod';
import { duration } from '#lib/api/fields/text.ts';
import { INPUT_API_VERSION } from '#lib/api/words.ts';

export const NodePoolInput = z.strictObject({
  apiVersion: z.literal(INPUT_API_VERSION).describe('Version of this input.'),
  kind: z.literal('NodePoolInput').describe('Kind of this input.'),
  ttl: duration()
    .optional()
    .describe('How long Crossplane may wait before it asks again. Shorter while work is under way.'),
});

export type NodePoolInput = z.output<typeof NodePoolInput>;
