/** How a machine joins its cluster: words that the contract "node join" and WorkloadNode share. */

export const JOIN_KINDS = ['Kubeadm', 'K0sController', 'K0sWorker'] as const;

export type JoinKind = (typeof JOIN_KINDS)[number];

/** A machine needs a few minutes to boot; then its token is extended until its Node is there. */
export const JOIN_TTL = '15m';
