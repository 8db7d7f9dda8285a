/** Input of the nodepool step. */
import { z } from 'zod';
import { TTL } from '#lib/api/words.ts';
import { inputFields } from '#lib/fn/input.ts';

export const NodePoolInput = z.strictObject({
  ...inputFields('NodePoolInput', TTL.following),
});

export type NodePoolInput = z.output<typeof NodePoolInput>;
