/** Input of the bootstrap step. */
import { z } from 'zod';
import { inputFields } from '#lib/fn/input.ts';

export const BootstrapInput = z.strictObject({
  ...inputFields('BootstrapInput'),
  cloudProvider: z
    .enum(['external', 'none'])
    .default('external')
    .describe(
      'Of Machines; ClusterInput and NodePoolInput have the same. external: nodes wait for a cloud controller manager, which you install yourself. none: there is no cloud controller manager. A claim can override this.',
    ),
  providerNodeRights: z
    .enum(['Administrator', 'Role'])
    .default('Administrator')
    .describe(
      'What provider-node may do in a cluster whose certificates Slipway makes. Administrator: everything, by the kubeconfig of the cluster. Role: what docs/install/workload-cluster.yaml grants the user slipway:provider-node, by a kubeconfig of its own in the Secret <cluster>-provider-node. Apply that file to each new cluster as soon as its API answers: no second machine joins before.',
    ),
});

export type BootstrapInput = z.output<typeof BootstrapInput>;
