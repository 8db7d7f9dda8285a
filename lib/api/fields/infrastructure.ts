/** Cloud-specific settings: existing infrastructure, and patches of composed resources. */
import { z } from 'zod';
import { anyObject } from '../schema/rules.ts';

export const Override = z.strictObject({
  kind: z.string().min(1).max(63).describe('Kind of the composed resource, such as Instance.'),
  resource: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .describe('Composition resource name; * matches anything. Default: every resource of the kind.'),
  patch: anyObject().describe(
    'JSON merge patch of the resource, limited to spec.forProvider, spec.initProvider, metadata.labels and metadata.annotations.',
  ),
});

export const overrides = z
  .array(Override)
  .max(32)
  .prefault([])
  .describe(
    'Patches of composed resources, for settings that only the cloud has. A patch that matches nothing is reported.',
  );

export type Override = z.output<typeof Override>;

const ExistingSubnet = z.strictObject({
  id: z.string().min(1).max(256).describe('Id of the subnet in the cloud.'),
  zone: z.string().min(1).max(63).describe('Failure domain of the subnet.'),
  public: z
    .boolean()
    .default(false)
    .describe(
      'Whether the subnet has a direct route to the internet. Load balancers use public subnets, machines private ones.',
    ),
});

export const Existing = z.strictObject({
  network: z
    .strictObject({ id: z.string().min(1).max(256).describe('Id of the network in the cloud.') })
    .optional()
    .describe('An existing network, which Slipway does not manage. Requires subnets.'),
  subnets: z.array(ExistingSubnet).max(48).prefault([]).describe('The subnets to use in that network.'),
});

export type Existing = z.output<typeof Existing>;
