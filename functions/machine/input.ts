/** What the Composition tells the machine step: how neutral words map to the cloud, and a platform's own choices. */
import { z } from 'zod';
import { inputFields, providerConfigRef } from '#lib/fn/input.ts';

const word = () => z.string().min(1).max(256);

export const MachineInput = z.strictObject({
  ...inputFields('MachineInput'),
  cloud: z.enum(['aws']).default('aws').describe('The cloud that carries the machine.'),
  classes: z
    .record(word(), word())
    .prefault({})
    .describe('Neutral sizes of claims to instance types, such as standard-4 to m6i.xlarge. Others pass through.'),
  images: z
    .record(word(), z.record(word(), word()))
    .prefault({})
    .describe(
      'Machine images by name and region. A name may carry a Kubernetes version, as in ubuntu-24.04/v1.35.4; that one wins over the plain name.',
    ),
  defaultImage: word().optional().describe('The image of claims that name none.'),
  providerConfigRef: providerConfigRef(),
  aws: z
    .strictObject({
      diskType: word().default('gp3').describe('Type of root disks of claims that name none.'),
      keyName: word().optional().describe('EC2 key pair that may log in.'),
      httpPutResponseHopLimit: z
        .int()
        .min(1)
        .max(64)
        .default(2)
        .describe(
          'How many network hops the instance metadata service answers over. 2 lets pods with a network of their own reach it.',
        ),
      userData: z
        .enum(['SecretsManager', 'Plain'])
        .default('SecretsManager')
        .describe(
          'How first-boot data reaches an instance. SecretsManager: as a secret that only its role reads and that it deletes; a format that cannot fetch it is as with Plain, and the Machine says so. Plain: in clear as user data. An instance keeps what it was made with.',
        ),
    })
    .prefault({})
    .describe('Choices only AWS has.'),
});

export type MachineInput = z.output<typeof MachineInput>;
