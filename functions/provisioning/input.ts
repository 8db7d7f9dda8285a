/** Input of the provisioning step. */
import { z } from 'zod';
import { inputFields } from '#lib/fn/input.ts';

export const ProvisioningInput = z.strictObject({
  ...inputFields('ProvisioningInput'),
});

export type ProvisioningInput = z.output<typeof ProvisioningInput>;
