/** What machines send each other for the pod network that usually goes with a bootstrap provider. */

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

/** Calico's defaults, which kube-router of k0s has, too: BGP and IP-in-IP. */
const CALICO: readonly PodTraffic[] = [
  { name: 'bgp', description: 'bgp (calico)', protocol: 'tcp', fromPort: 179, toPort: 179 },
  { name: 'ip-in-ip', description: 'IP-in-IP (calico)', protocol: '4' },
];

/** Flannel, alone or as canal. Its own port is the kernel's for VXLAN; Talos has the registered one. */
const flannel = (port: number): readonly PodTraffic[] => [
  { name: 'vxlan', description: 'VXLAN (flannel)', protocol: 'udp', fromPort: port, toPort: port },
];

/** Calico as MicroK8s configures it. */
const CALICO_VXLAN: readonly PodTraffic[] = [
  { name: 'vxlan', description: 'VXLAN (calico)', protocol: 'udp', fromPort: 4789, toPort: 4789 },
];

/** Cilium's defaults: its tunnel, and whether its agents are well. */
const CILIUM: readonly PodTraffic[] = [
  { name: 'vxlan', description: 'VXLAN (cilium)', protocol: 'udp', fromPort: 8472, toPort: 8472 },
  { name: 'health', description: 'Health (cilium)', protocol: 'tcp', fromPort: 4240, toPort: 4240 },
];

const BY_PROVIDER: Readonly<Record<string, readonly PodTraffic[]>> = {
  'canonical-kubernetes': CILIUM,
  k3s: flannel(8472),
  microk8s: CALICO_VXLAN,
  rke2: flannel(8472),
  talos: flannel(4789),
};

/** Calico's for whoever brings no pod network: it has to be installed, and this is the usual one. */
export function podTraffic(provider: string): readonly PodTraffic[] {
  return Object.hasOwn(BY_PROVIDER, provider) ? (BY_PROVIDER[provider] ?? CALICO) : CALICO;
}
