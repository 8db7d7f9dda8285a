/** What the Composition tells the bootstrap step. */
import { z } from 'zod';
import { duration } from '#lib/api/fields/text.ts';
import { INPUT_API_VERSION } from '#lib/api/words.ts';

export const BootstrapInput = z.strictObject({
  apiVersion: z.literal(INPUT_API_VERSION).describe('Version of this input.'),
  kind: z.literal('BootstrapInput').describe('Kind of this input.'),
  ttl: duration()
    .optional()
    .describe('How long Crossplane may wait before it asks again. Shorter while work is under way.'),
  cloudProvider: z
    .enum(['external', 'none'])
    .default('external')
    .describe(
      'external: kubelet waits for the cloud controller manager to label the node, which somebody installs. none: there is no cloud controller manager. A claim may say otherwise.',
    ),
});

export type BootstrapInput = z.output<typeof BootstrapInput>;
