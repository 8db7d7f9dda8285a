/** The bootstrap provider, which turns a host into a Kubernetes node, and its settings. */
import { z } from 'zod';
import { anyObject, immutable } from '../schema/rules.ts';

const provider = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, {
    error: 'is not a bootstrap provider; accepted: a lower-case word such as kubeadm',
  });

const config = anyObject()
  .prefault({})
  .describe('Settings of the bootstrap provider, checked by the bootstrap function.');

/** The choice of a Cluster. */
export const ClusterBootstrap = z.strictObject({
  provider: immutable(provider, 'all nodes of a cluster use the same bootstrap provider')
    .default('kubeadm')
    .describe(
      'Bootstrap provider, which turns a host into a node: kubeadm, or another one that the bootstrap step of the Composition supports.',
    ),
  config,
});

/** Additions of a pool; its fields override those of the Cluster, top-level key by top-level key. */
export const PoolBootstrap = z.strictObject({ config });

/** The choice for one machine, copied on creation. */
export const MachineBootstrap = z.strictObject({
  provider: provider.describe('Bootstrap provider, which turns the host into a node.'),
  action: z
    .enum(['Init', 'Join'])
    .default('Join')
    .describe('Init starts the cluster: exactly one control-plane machine does it, once. All others join.'),
  config,
});

export type MachineBootstrap = z.output<typeof MachineBootstrap>;
