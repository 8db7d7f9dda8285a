/** ClusterFacts: what a Cluster tells its pools, machines and add-ons. Composed by the Cluster; no tenant writes it. */
import { z } from 'zod';
import { anyObject } from '../schema/rules.ts';
import { ClusterStatus } from './cluster.ts';

const { infrastructure, controlPlaneEndpoint, certificateAuthority, certificates, addons, kubeconfigSecretRef } =
  ClusterStatus.shape;

export const ClusterFactsSpec = z.strictObject({
  clusterUid: z.string().optional().describe('uid of the Cluster.'),
  accepted: anyObject().describe(
    'Spec of the Cluster that was accepted last. Pools and machines follow it; an edit that is refused is not here.',
  ),
  infrastructure,
  controlPlaneEndpoint,
  controlPlane: z
    .looseObject({
      initialized: z
        .boolean()
        .default(false)
        .describe('True once the first control-plane machine became a node; never set back.'),
      version: z.string().optional().describe('The oldest Kubernetes version among control-plane nodes.'),
    })
    .optional()
    .describe('How far the control plane is.'),
  certificateAuthority,
  certificates,
  addons,
  kubeconfigSecretRef,
});

export type ClusterFactsSpec = z.output<typeof ClusterFactsSpec>;
