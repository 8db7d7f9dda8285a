/** The escape hatch to one cloud: what already exists, and changes to what is composed. */
import { z } from 'zod';
import { anyObject } from '../schema/rules.ts';

export const Override = z.strictObject({
  kind: z.string().min(1).max(63).describe('Kind of the composed resource, such as Instance.'),
  resource: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .describe('Its composition resource name; * stands for anything. Left out, every resource of the kind.'),
  patch: anyObject().describe(
    'JSON merge patch over the resource: spec.forProvider and spec.initProvider, metadata.labels and metadata.annotations.',
  ),
});

export const overrides = z
  .array(Override)
  .max(32)
  .prefault([])
  .describe("Changes to composed resources in the cloud's own words. One that matches nothing is reported.");

export type Override = z.output<typeof Override>;

const ExistingSubnet = z.strictObject({
  id: z.string().min(1).max(256).describe("The cloud's id of the subnet."),
  zone: z.string().min(1).max(63).describe('The failure domain it lies in.'),
  public: z
    .boolean()
    .default(false)
    .describe(
      'Whether it routes to the internet directly. Public subnets carry load balancers, private ones machines.',
    ),
});

export const Existing = z.strictObject({
  network: z
    .strictObject({ id: z.string().min(1).max(256).describe("The cloud's id of the network.") })
    .optional()
    .describe('A network that somebody else manages. Needs subnets.'),
  subnets: z.array(ExistingSubnet).max(48).prefault([]).describe('The subnets to use in that network.'),
});

export type Existing = z.output<typeof Existing>;
