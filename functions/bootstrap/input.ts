/** What the Composition tells the bootstrap step. */
import { z } from 'zod';
import { inputFields } from '#lib/fn/input.ts';

export const BootstrapInput = z.strictObject({
  ...inputFields('BootstrapInput'),
  cloudProvider: z
    .enum(['external', 'none'])
    .default('external')
    .describe(
      'external: kubelet waits for the cloud controller manager to label the node, which somebody installs. none: there is no cloud controller manager. A claim may say otherwise.',
    ),
});

export type BootstrapInput = z.output<typeof BootstrapInput>;
