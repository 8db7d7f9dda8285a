/** Input of the nodepool step. */
import { z } from 'zod';
import { allowInClear, CATALOG, environmentConfig, otherFormats } from '#lib/cloud/catalog.ts';
import { cloudProvider } from '#lib/cloud/cloud-provider.ts';
import { MACHINE_LIMITS } from '#lib/cloud/limits.ts';
import { overridesInput } from '#lib/cloud/overrides-input.ts';
import { inputFields } from '#lib/fn/input.ts';

const Limits = z.strictObject({
  replicas: z.int().min(0).optional().describe('Maximum number of machines of a pool.'),
  ...MACHINE_LIMITS,
});

export const NodePoolInput = z.strictObject({
  ...inputFields('NodePoolInput'),
  cloud: z
    .string()
    .min(1)
    .max(63)
    .optional()
    .describe('The cloud that the machines run on, as in MachineInput. Default: that of the Cluster, once it has one.'),
  environmentConfig: environmentConfig(),
  ...CATALOG,
  otherFormats: otherFormats(),
  allowInClear: allowInClear(),
  cloudProvider: cloudProvider(),
  overrides: overridesInput(),
  limits: Limits.prefault({}).describe(
    'What claims may choose. A list without entries allows nothing; a limit that is not set allows everything. A choice outside is refused; what machines have stays when a limit comes later: the pool goes on, and does not grow.',
  ),
});

export type NodePoolInput = z.output<typeof NodePoolInput>;
