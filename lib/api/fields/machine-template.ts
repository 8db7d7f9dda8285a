/** What a machine is made of, in words every cloud knows. */
import { z } from 'zod';
import { withRule } from '../schema/rules.ts';

export const RootDisk = z.strictObject({
  sizeGiB: z
    .int()
    .min(8)
    .max(16_384)
    .default(40)
    .describe('Size of the root disk in GiB. It can grow in place, never shrink.'),
  type: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe("The cloud's own word for the kind of disk, such as gp3. Left out, the Composition decides."),
  encrypted: z.boolean().default(true).describe('Whether the root disk is encrypted at rest.'),
});

const shape = {
  class: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe(
      'Neutral size such as standard-4. The Composition maps it to an instance type; a word it does not map is passed on as it is. Give either this or instanceType.',
    ),
  instanceType: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe("The cloud's own instance type, such as m6i.xlarge. Give either this or class."),
  image: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'Machine image: a name the Composition maps per region and Kubernetes version, or the id the cloud gave it. Left out, the Composition decides.',
    ),
  os: z
    .enum(['linux', 'windows'])
    .optional()
    .describe("Operating system of the image. Left out, linux. Windows is for workers, and the format's has to fit."),
  rootDisk: RootDisk.prefault({}).describe('The disk the machine boots from.'),
};

const oneSize = {
  cel: 'has(self.class) != has(self.instanceType)',
  holds: (value: { readonly class?: string | undefined; readonly instanceType?: string | undefined }) =>
    (value.class === undefined) !== (value.instanceType === undefined),
  message: 'must have exactly one of class and instanceType',
};

/** One machine, already placed. */
export const MachineShape = withRule(z.strictObject(shape), oneSize);

/** Many machines of one shape, to be spread over zones. */
export const MachineTemplate = withRule(
  z.strictObject({
    ...shape,
    zones: z
      .array(z.string().min(1).max(63))
      .max(16)
      .optional()
      .describe('Failure domains to spread machines over, by the names the Cluster reports. Left out, all of them.'),
  }),
  oneSize,
);

export type MachineShape = z.output<typeof MachineShape>;
export type MachineTemplate = z.output<typeof MachineTemplate>;
