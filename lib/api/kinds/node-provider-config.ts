/**
 * How provider-node reaches a workload cluster, and who uses that: the configuration kinds of every Crossplane provider.
 */
import { z } from 'zod';
import { conditions } from '../fields/conditions.ts';

const key = z.string().min(1).max(253).default('value').describe('Key that holds the kubeconfig.');

const source = z
  .enum(['Secret'])
  .default('Secret')
  .describe('Where the credentials are. Secret: a kubeconfig in a Secret.');

const updaterImage = z
  .string()
  .min(1)
  .max(512)
  .optional()
  .describe(
    'Image of the pod that runs updaters on a Node, for clusters that pull from a registry of their own: a copy of the default one, or any with sh and nsenter. Name it with its digest. If not set, the flag --updater-image of provider-node.',
  );

export const NodeProviderConfigSpec = z.strictObject({
  credentials: z
    .strictObject({
      source,
      secretRef: z
        .strictObject({ name: z.string().min(1).max(253).describe('Name of the Secret.'), key })
        .describe('Secret with a kubeconfig, in the same namespace.'),
    })
    .describe('How to reach the workload cluster.'),
  updaterImage,
});

export const NodeClusterProviderConfigSpec = z.strictObject({
  credentials: z
    .strictObject({
      source,
      secretRef: z
        .strictObject({
          namespace: z.string().min(1).max(63).describe('Namespace of the Secret.'),
          name: z.string().min(1).max(253).describe('Name of the Secret.'),
          key,
        })
        .describe('Secret with a kubeconfig.'),
    })
    .describe('How to reach the workload cluster.'),
  updaterImage,
});

export const NodeProviderConfigStatus = z.looseObject({
  conditions: conditions('State of the configuration.'),
});

/** Top-level fields, as every provider has them. */
export const ProviderConfigUsageFields = z.strictObject({
  providerConfigRef: z
    .strictObject({
      kind: z.string().min(1).max(63).describe('Kind of the configuration.'),
      name: z.string().min(1).max(253).describe('Name of the configuration.'),
    })
    .describe('The configuration in use.'),
  resourceRef: z
    .strictObject({
      apiVersion: z.string().min(1).max(253).describe('API version of the object.'),
      kind: z.string().min(1).max(63).describe('Kind of the object.'),
      name: z.string().min(1).max(253).describe('Name of the object.'),
      uid: z.string().min(1).max(63).optional().describe('Uid of the object.'),
    })
    .describe('The object that uses it.'),
});

export type ProviderConfigUsageFields = z.output<typeof ProviderConfigUsageFields>;
