/** Size, image and disks of a machine, independent of the cloud. */
import { z } from 'zod';
import { eachOnce } from '../schema/once.ts';
import { keyedBy, onAdmission, withRule } from '../schema/rules.ts';

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
    .describe('Disk type of the cloud, such as gp3. Default: set by the Composition.'),
  encrypted: z.boolean().default(true).describe('Whether the root disk is encrypted at rest.'),
});

export const DataDisk = z.strictObject({
  name: z
    .string()
    .max(20)
    .regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, {
      error: 'is not accepted; accepted: a lower-case letter, then letters, digits and -',
    })
    .describe('Name of the disk in this claim, such as data.'),
  sizeGiB: z.int().min(8).max(16_384).describe('Size of the disk in GiB.'),
  type: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('Disk type of the cloud, such as gp3. Default: that of root disks in the Composition.'),
  encrypted: z.boolean().default(true).describe('Whether the disk is encrypted at rest.'),
});

/** Without CEL: the API server refuses a name twice in a keyed list. */
const dataDisks = keyedBy(
  eachOnce(z.array(DataDisk).max(8), 'name', ({ name }) => name),
  'name',
)
  .optional()
  .describe(
    'Disks besides the one it boots from, in the order of their devices. They are empty, and deleted with the machine; a change replaces machines.',
  );

const shape = {
  class: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe(
      'Cloud-neutral size such as standard-4, which the platform maps to an instance type; an instance type of the cloud is accepted, too. Set either class or instanceType.',
    ),
  instanceType: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('Instance type of the cloud, such as m6i.xlarge. Set either instanceType or class.'),
  image: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'Machine image: a name that the Composition maps by region and Kubernetes version, or an image id of the cloud. Default: set by the Composition.',
    ),
  os: z
    .enum(['linux', 'windows'])
    .optional()
    .describe(
      'Operating system of the image. Default: linux. windows is for workers only, and the provisioning format must support it.',
    ),
  capacityType: z
    .enum(['on-demand', 'spot'])
    .optional()
    .describe(
      'How the cloud sells the machine. spot: cheaper, and the cloud may take it back at any time; its pool replaces it at once. Only for workers. The label slipway.dev/capacity-type of the Node says it. Default: on-demand, without the label.',
    ),
  rootDisk: RootDisk.prefault({}).describe('The disk the machine boots from.'),
  dataDisks,
};

const oneSize = {
  cel: 'has(self.class) != has(self.instanceType)',
  holds: (value: { readonly class?: string | undefined; readonly instanceType?: string | undefined }) =>
    (value.class === undefined) !== (value.instanceType === undefined),
  message: 'must have exactly one of class and instanceType',
};

/** One machine in a failure domain. */
export const MachineShape = withRule(z.strictObject(shape), oneSize);

/** Of a list of zones without any. */
export const NO_ZONE = 'is not accepted; accepted: at least one zone, or no such field, which means all zones';

/** Identical machines, spread over zones. */
export const MachineTemplate = withRule(
  z.strictObject({
    ...shape,
    zones: onAdmission(z.array(z.string().min(1).max(63)).max(16), { cel: 'self.size() > 0', message: NO_ZONE })
      .optional()
      .describe(
        'Failure domains to spread machines over, by their names in the status of the Cluster. Default: all of them.',
      ),
  }),
  oneSize,
);

/** Of a control plane. */
export const NO_SPOT =
  'is not accepted; accepted: on-demand, since the cloud may take back two spot machines at once, and etcd would have no majority';

export type DataDisk = z.output<typeof DataDisk>;
export type MachineShape = z.output<typeof MachineShape>;
export type MachineTemplate = z.output<typeof MachineTemplate>;
