/**
 * What claims may ask a cloud for: sizes, images and regions by neutral names. The same table is in the input of every
 * step that judges a claim, and an EnvironmentConfig of the platform may add to it.
 */
import { z } from 'zod';

const name = () => z.string().min(1).max(256);
const region = () => z.string().min(1).max(63);

export const CATALOG = {
  regions: z
    .record(region(), region())
    .prefault({})
    .describe(
      'Map of neutral region names in claims to regions of the cloud, such as eu-west to eu-west-1. Claims may also name a region of the cloud itself.',
    ),
  classes: z
    .record(name(), name())
    .prefault({})
    .describe(
      'Map of neutral sizes in claims to instance types, such as standard-4 to m6i.xlarge. Claims may also name an instance type of the cloud itself.',
    ),
  images: z
    .record(name(), z.record(name(), name()))
    .prefault({})
    .describe(
      'Machine images by name and region. A name may include a Kubernetes version, as in ubuntu-24.04/v1.37.1, and then an architecture, as in ubuntu-24.04/v1.37.1/arm64; each takes precedence over the name without it. An image is of amd64 if neither its name nor its id says arm64, and machines only get images of the architecture of their size. Claims may also name an image id of the cloud itself.',
    ),
  defaultImage: name().optional().describe('The image for claims that do not set one.'),
};

/** In the input of the steps that judge claims. */
export const otherFormats = () =>
  z
    .array(region())
    .max(32)
    .prefault([])
    .describe(
      'Formats that claims may give to spec.provisioning.format because another provisioning step of the Composition writes them, not that of Slipway.',
    );

/** In the input of the steps that judge claims. */
export const allowInClear = () =>
  z
    .array(region())
    .max(32)
    .optional()
    .describe(
      'Formats of claims (spec.provisioning.format) whose first-boot data may reach machines unencrypted, as in MachineInput. A new claim with another format whose data has secrets, and which no secret of the cloud delivers, is refused. Data of all others is taken to be in the secret store. Not set: only its machines are refused.',
    );

/** In the input of a step, beside the table. */
export const environmentConfig = () =>
  z
    .string()
    .min(1)
    .max(253)
    .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, {
      error: 'is not an object name; accepted: lower-case letters, digits, - and .',
    })
    .optional()
    .describe(
      'Name of an EnvironmentConfig that adds to this table and replaces entries of it: regions, zones, classes, images and defaultImage. It need not exist.',
    );

export type Catalog = z.output<z.ZodObject<typeof CATALOG>>;
