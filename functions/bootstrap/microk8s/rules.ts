/** What MicroK8s refuses of `spec.bootstrap.config`. */
import { type ConfigRules, refuseOwned } from '../claim-config.ts';
import { OWNED_FLAGS } from '../kubelet-flags.ts';
import { type MicroK8sConfig, OF_THE_CLUSTER, readMicroK8sConfig } from './config.ts';
import { API_PORT } from './facts.ts';

/** Flags and fields that have their own field in the claim, or that Slipway sets. */
const OWNED = {
  extraKubeAPIServerArgs: {
    'secure-port': `nothing, since load balancers use port ${API_PORT}`,
    'service-cluster-ip-range': 'spec.network.services of the Cluster',
  },
  extraKubeControllerManagerArgs: {
    'cluster-cidr': 'spec.network.pods of the Cluster',
    'service-cluster-ip-range': 'spec.network.services of the Cluster',
  },
  extraKubeProxyArgs: { 'cluster-cidr': 'spec.network.pods of the Cluster' },
  extraKubeletArgs: {
    ...OWNED_FLAGS,
    config: 'spec.bootstrap.config.kubeletConfiguration',
  },
  kubeletConfiguration: {
    providerID: 'nothing, since the cloud assigns it',
    registerWithTaints: 'spec.taints',
  },
} as const satisfies Partial<Record<keyof MicroK8sConfig, Readonly<Record<string, string>>>>;

export const microk8sRules: ConfigRules<MicroK8sConfig> = {
  read: readMicroK8sConfig,
  ofTheCluster: OF_THE_CLUSTER,
  hosts: [['extraSANs']],
  expands: true,
  flags: {
    'kube-apiserver': ['extraKubeAPIServerArgs'],
    'kube-controller-manager': ['extraKubeControllerManagerArgs'],
    'kube-scheduler': ['extraKubeSchedulerArgs'],
    'kube-proxy': ['extraKubeProxyArgs'],
    kubelet: ['extraKubeletArgs'],
  },
  refuse: (config, { owner }) => {
    for (const [field, owned] of Object.entries(OWNED))
      refuseOwned(config[field as keyof typeof OWNED] ?? {}, owned, field, owner);
  },
};
