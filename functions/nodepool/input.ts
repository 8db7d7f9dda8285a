/** Input of the nodepool step. */
import { z } from 'zod';
import { inputFields } from '#lib/fn/input.ts';

export const NodePoolInput = z.strictObject({
  ...inputFields('NodePoolInput'),
});

export type NodePoolInput = z.output<typeof NodePoolInput>;
