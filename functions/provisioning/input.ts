/** What the Composition tells the provisioning step. */
import { z } from 'zod';
import { duration } from '#lib/api/fields/text.ts';
import { INPUT_API_VERSION } from '#lib/api/words.ts';

export const ProvisioningInput = z.strictObject({
  apiVersion: z.literal(INPUT_API_VERSION).describe('Version of this input.'),
  kind: z.literal('ProvisioningInput').describe('Kind of this input.'),
  ttl: duration()
    .optional()
    .describe('How long Crossplane may wait before it asks again. Shorter while work is under way.'),
});

export type ProvisioningInput = z.output<typeof ProvisioningInput>;
