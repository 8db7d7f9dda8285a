/**
 * What other steps must know about each bootstrapper: one line per bootstrapper, from its own folder. Other functions
 * import this file and nothing else of the bootstrap step.
 */
import { own } from '#lib/api/json.ts';
import type { Traffic } from '#lib/cloud/traffic.ts';
import { type BootstrapperTable, type BootstrapperTraits, bringsPart } from '#lib/cloud/traits.ts';
import { traits as bottlerocket } from './bottlerocket/traits.ts';
import { traits as canonicalKubernetes } from './canonical-kubernetes/traits.ts';
import { traits as k0s } from './k0s/traits.ts';
import { traits as k3s } from './k3s/traits.ts';
import { traits as kubeadm } from './kubeadm/traits.ts';
import { traits as microk8s } from './microk8s/traits.ts';
import { traits as nodeadm } from './nodeadm/traits.ts';
import { traits as rke2 } from './rke2/traits.ts';
import { traits as talos } from './talos/traits.ts';

const OURS = {
  bottlerocket,
  'canonical-kubernetes': canonicalKubernetes,
  k0s,
  k3s,
  kubeadm,
  microk8s,
  nodeadm,
  rke2,
  talos,
} satisfies Readonly<Record<string, BootstrapperTable>>;

export type BootstrapperName = keyof typeof OURS;

export const BOOTSTRAPPER_TABLES: Readonly<Record<string, BootstrapperTable>> = OURS;

/** Defaults, for our bootstrappers and for others. */
const USUAL: BootstrapperTraits = {
  plan: undefined,
  controlPlanes: true,
  brings: [
    { part: 'kube-proxy', unless: [] },
    { part: 'dns', unless: [] },
  ],
  // As kubeadm labels them.
  controlPlaneNodes: { 'node-role.kubernetes.io/control-plane': '' },
  joinPorts: [],
  // A unit of the host takes the address; hosts of other bootstrappers are unknown.
  takesAddress: true,
  // Defaults of Calico, BGP and IP-in-IP: the usual pod network for bootstrappers that do not install one. Its operator
  // always runs Typha, which every node asks over the network of the hosts.
  podTraffic: [
    { name: 'bgp', description: 'bgp (calico)', protocol: 'tcp', fromPort: 179, toPort: 179 },
    { name: 'ip-in-ip', description: 'IP-in-IP (calico)', protocol: '4' },
    { name: 'typha', description: 'typha (calico)', protocol: 'tcp', fromPort: 5473, toPort: 5473 },
  ],
  externalEtcd: undefined,
  membership: undefined,
  hasShell: true,
  updatesKubernetes: false,
  updatesRegistries: false,
  kubelet: undefined,
  sources: [],
  imagePullers: [],
  minors: undefined,
  releases: undefined,
};

/** @param provider as in a claim, ours or that of a third party */
export function bootstrapperTraits(provider: string): BootstrapperTraits {
  return { ...USUAL, ...own(BOOTSTRAPPER_TABLES, provider) };
}

/**
 * What the machines of a cluster send each other. Without the pod network that its bootstrapper would install, it is
 * that one's or the usual one.
 *
 * @param config  `spec.bootstrap.config` of the Cluster
 */
export function trafficOf(provider: string, config: unknown): Traffic {
  const traits = bootstrapperTraits(provider);
  const isSwitchedOff = traits.brings.some(({ part }) => part === 'network') && !bringsPart(traits, 'network', config);
  const others = isSwitchedOff && traits.podTraffic !== USUAL.podTraffic ? USUAL.podTraffic : [];
  const { joinPorts, takesAddress } = traits;
  return { joinPorts, podTraffic: [...traits.podTraffic, ...others], takesAddress };
}

/** Names of our bootstrappers with a trait, sorted. */
export function bootstrappersThat(have: (traits: BootstrapperTraits) => boolean): readonly string[] {
  return Object.keys(BOOTSTRAPPER_TABLES)
    .filter((provider) => have(bootstrapperTraits(provider)))
    .toSorted();
}

/** What is accepted instead of a provider that only joins workers, where machines are the control plane. */
export function controlPlaneProviders(): string {
  const names = bootstrappersThat(({ controlPlanes }) => controlPlanes).join(', ');
  return `${names}; others need a Composition whose cloud runs the control plane`;
}

/** For bootstrappers of third parties, and for all of ours. */
function everyone(): readonly BootstrapperTraits[] {
  return [USUAL, ...Object.keys(BOOTSTRAPPER_TABLES).map(bootstrapperTraits)];
}

export function anyTraffic(): Traffic {
  return {
    joinPorts: everyone().flatMap(({ joinPorts }) => joinPorts),
    podTraffic: everyone().flatMap(({ podTraffic }) => podTraffic),
    takesAddress: true,
  };
}

export function anyImagePuller(): readonly string[] {
  return everyone().flatMap(({ imagePullers }) => imagePullers);
}
