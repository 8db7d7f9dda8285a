/** Who may call the Kubernetes API of a cluster. */

export const ANYWHERE = '0.0.0.0/0';

/** The note about an API that not even the management cluster reaches. */
export const UNREACHABLE =
  'only machines of the cluster may reach its Kubernetes API: provider-node needs the block of its management cluster in spec.controlPlane.allowedCIDRs, or in managementCIDRs of the Composition';
