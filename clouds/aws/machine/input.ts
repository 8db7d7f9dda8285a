/** Settings for machines on AWS, in addition to those of every cloud. */
import { z } from 'zod';

const word = () => z.string().min(1).max(256);

export const AwsMachineInput = z.strictObject({
  diskType: word().default('gp3').describe('Root disk type for claims that do not set one.'),
  keyName: word().optional().describe('EC2 key pair that may log in.'),
  httpPutResponseHopLimit: z
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe(
      'Maximum network hops of responses of the instance metadata service. With 2, pods that have their own network can reach it and use the rights of the machine, as the EBS CSI controller does; 1 prevents that. Default: 2 for control-plane machines, 1 for others; existing instances keep theirs.',
    ),
  kmsKeyId: z
    .string()
    .regex(/^arn:[a-z-]+:kms:[a-z0-9-]+:[0-9]{12}:(key|alias)\/.+$/, { error: 'is not the ARN of a KMS key' })
    .optional()
    .describe(
      'ARN of the KMS key that encrypts root disks and first-boot data. Roles of machines must be allowed to use it by its key policy. Default: the keys of AWS. Existing disks keep theirs.',
    ),
  terminationProtection: z
    .boolean()
    .default(false)
    .describe(
      'Whether AWS refuses to terminate an instance except for its provider, which lifts the protection when the Machine is deleted. Also changes existing instances. Spot instances cannot be protected. Needs provider-aws-ec2 v2.1.0 or newer.',
    ),
  userData: z
    .enum(['SecretsManager', 'Plain'])
    .default('SecretsManager')
    .describe(
      'How first-boot data reaches an instance. SecretsManager: as a secret of Secrets Manager that only the role of the instance can read and that the instance deletes. Plain: unencrypted, as user data, for every format. Existing instances do not change.',
    ),
  allowInClear: z
    .array(z.string().min(1).max(63))
    .max(32)
    .prefault([])
    .describe(
      'Formats of claims (spec.provisioning.format) whose first-boot data may be in user data, unencrypted, if Secrets Manager cannot deliver it. The data contains secrets: join tokens and, for control planes, the keys of the cluster. Machines with another such format are refused.',
    ),
});

export type AwsMachineInput = z.output<typeof AwsMachineInput>;
