/** Input of the bootstrap step. */
import { z } from 'zod';
import { inputFields } from '#lib/fn/input.ts';

export const BootstrapInput = z.strictObject({
  ...inputFields('BootstrapInput'),
  cloudProvider: z
    .enum(['external', 'none'])
    .default('external')
    .describe(
      'external: nodes wait for a cloud controller manager, which you install yourself. none: there is no cloud controller manager. A claim can override this.',
    ),
});

export type BootstrapInput = z.output<typeof BootstrapInput>;
