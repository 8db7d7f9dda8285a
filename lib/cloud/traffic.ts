/** What the machines of a cluster send each other beside what machines of every cluster do. */

export interface ServedPort {
  /** Part of names of cloud objects. */
  readonly name: string;
  readonly description: string;
  readonly port: number;
}

/** What the load balancer of every control plane serves. */
export const API: ServedPort = { name: 'api', description: 'Kubernetes API', port: 6443 };

export interface PodTraffic {
  /** Part of names of cloud objects. */
  readonly name: string;
  readonly description: string;
  /** tcp, udp or a protocol number. */
  readonly protocol: string;
  /** tcp and udp only. */
  readonly fromPort?: number | undefined;
  readonly toPort?: number | undefined;
}

export interface Traffic {
  /**
   * What joining machines call on the control plane beside the Kubernetes API; open to the cluster's own machines only.
   */
  readonly joinPorts: readonly ServedPort[];
  /** Of the pod network that usually goes with the bootstrap provider. */
  readonly podTraffic: readonly PodTraffic[];
  /** Whether a control plane gives itself the address of a load balancer that passes packets on as they are. */
  readonly takesAddress: boolean;
}
