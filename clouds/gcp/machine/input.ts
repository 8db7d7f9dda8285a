/** Settings for machines on GCP, in addition to those of every cloud. */
import { z } from 'zod';

export const GcpMachineInput = z.strictObject({
  diskType: z
    .string()
    .min(1)
    .max(63)
    .default('pd-balanced')
    .describe(
      'Boot disk type for claims that do not set one. Some machine types need another one, such as hyperdisk-balanced.',
    ),
  kmsKey: z
    .string()
    .regex(/^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+$/, {
      error:
        'is not a key; accepted: such as projects/my-project/locations/europe-west1/keyRings/slipway/cryptoKeys/disks',
    })
    .optional()
    .describe(
      'Key of Cloud KMS that encrypts boot disks and first-boot data; the service agents of Compute Engine and Secret Manager must be allowed to use it. Default: the keys of Google, which always encrypt. Existing disks keep theirs.',
    ),
  ipForwarding: z
    .boolean()
    .default(false)
    .describe(
      'Whether a machine may send packets with addresses of others: needed for a pod network that does not encapsulate packets. Existing machines keep what they have.',
    ),
  userData: z
    .enum(['SecretManager', 'Plain'])
    .default('SecretManager')
    .describe(
      'How first-boot data reaches a machine. SecretManager: as a secret that only the service account of its role can read, by a name that only its machine is told. Plain: unencrypted, as metadata, for every format. Existing machines do not change.',
    ),
  allowInClear: z
    .array(z.string().min(1).max(63))
    .max(32)
    .prefault([])
    .describe(
      'Formats of claims (spec.provisioning.format) whose first-boot data may be in metadata, unencrypted, if Secret Manager cannot deliver it. The data contains secrets: join tokens and, for control planes, the keys of the cluster. Machines with another such format are refused.',
    ),
});

export type GcpMachineInput = z.output<typeof GcpMachineInput>;
