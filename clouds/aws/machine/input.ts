/** What a platform chooses for machines on AWS, beside what every cloud has. */
import { z } from 'zod';

const word = () => z.string().min(1).max(256);

export const AwsMachineInput = z.strictObject({
  diskType: word().default('gp3').describe('Type of root disks of claims that name none.'),
  keyName: word().optional().describe('EC2 key pair that may log in.'),
  httpPutResponseHopLimit: z
    .int()
    .min(1)
    .max(64)
    .default(2)
    .describe(
      'How many network hops the instance metadata service answers over. 2 lets pods with a network of their own reach it, 1 keeps them off it.',
    ),
  userData: z
    .enum(['SecretsManager', 'Plain'])
    .default('SecretsManager')
    .describe(
      'How first-boot data reaches an instance. SecretsManager: as a secret of Secrets Manager that only its role reads and that it deletes; a format that cannot fetch it is as with Plain, and the Machine says so. Plain: in clear as user data. An instance keeps what it was made with.',
    ),
});

export type AwsMachineInput = z.output<typeof AwsMachineInput>;
