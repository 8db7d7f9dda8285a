/** Who turns a host into a Kubernetes node, and how. */
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
  .describe("Settings in the bootstrap provider's own words; the bootstrap function checks them.");

/** The Cluster's choice. */
export const ClusterBootstrap = z.strictObject({
  provider: immutable(provider, 'the nodes of one cluster are made by one bootstrap provider')
    .default('kubeadm')
    .describe('Who turns a host into a node: kubeadm, or what the bootstrap step of the Composition offers.'),
  config,
});

/** What a pool adds; its fields win over the Cluster's, top-level key by top-level key. */
export const PoolBootstrap = z.strictObject({ config });

/** The frozen choice of one machine. */
export const MachineBootstrap = z.strictObject({
  provider: provider.describe('Who turns the host into a node.'),
  action: z
    .enum(['Init', 'Join'])
    .default('Join')
    .describe('Init starts the cluster: exactly one control-plane machine does it, once. All others join.'),
  config,
});

export type MachineBootstrap = z.output<typeof MachineBootstrap>;
