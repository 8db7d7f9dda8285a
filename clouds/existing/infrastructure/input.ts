/** The section of the input for hosts of somebody else. */
import { z } from 'zod';

export const ExistingInput = z.strictObject({
  endpoint: z
    .strictObject({
      host: z
        .string()
        .max(253)
        .regex(/^([A-Za-z0-9.:-]|\$\(name\)|\$\(namespace\))+$/, {
          error: 'is not a host; accepted: a DNS name or an address, which may contain $(name) and $(namespace)',
        })
        .describe(
          'DNS name of the Kubernetes API; $(name) and $(namespace) are those of the Cluster, such as $(name).$(namespace).clusters.example.com.',
        ),
      port: z.int().min(1).max(65_535).default(6443).describe('Port of the Kubernetes API.'),
    })
    .optional()
    .describe(
      'Endpoint of Clusters whose claim names none. Its owner leads it to the control-plane machines. An existing cluster keeps its endpoint. Default: every claim has to name one.',
    ),
});

export type ExistingInput = z.output<typeof ExistingInput>;
