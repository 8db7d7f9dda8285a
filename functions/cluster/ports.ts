/** What the load balancer of a control plane serves: the Kubernetes API, and what joiners of each bootstrapper call beside it. */

export interface ServedPort {
  /** Part of names of cloud objects. */
  readonly name: string;
  readonly description: string;
  readonly port: number;
}

export const API: ServedPort = { name: 'api', description: 'Kubernetes API', port: 6443 };

/** By bootstrap provider; one that is not here needs the Kubernetes API alone. */
const JOIN_PORTS: Readonly<Record<string, readonly ServedPort[]>> = {
  'canonical-kubernetes': [{ name: 'k8sd', description: 'k8sd of Canonical Kubernetes', port: 6400 }],
  k0s: [
    { name: 'konnectivity', description: 'Konnectivity of k0s', port: 8132 },
    { name: 'k0s-api', description: 'Join API of k0s controllers', port: 9443 },
  ],
  microk8s: [{ name: 'cluster-agent', description: 'Cluster agent of MicroK8s', port: 25_000 }],
  rke2: [{ name: 'rke2-supervisor', description: 'Supervisor of RKE2', port: 9345 }],
  talos: [
    { name: 'talos-api', description: 'Talos API', port: 50_000 },
    { name: 'trustd', description: 'Certificates of the Talos API', port: 50_001 },
  ],
};

/** Beside the Kubernetes API, and for the cluster's own machines only. */
export function joinPorts(provider: string): readonly ServedPort[] {
  return Object.hasOwn(JOIN_PORTS, provider) ? (JOIN_PORTS[provider] ?? []) : [];
}
