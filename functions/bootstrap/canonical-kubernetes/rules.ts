/** What Canonical Kubernetes refuses of `spec.bootstrap.config`. */
import { type ConfigRules, refuseOwned } from '../claim-config.ts';
import { OWNED_FLAGS } from '../kubelet-flags.ts';
import { type CanonicalKubernetesConfig, OF_THE_CLUSTER, readCanonicalKubernetesConfig } from './config.ts';

const DNS = { 'cluster-domain': 'spec.network.dnsDomain of the Cluster' };

export const canonicalKubernetesRules: ConfigRules<CanonicalKubernetesConfig> = {
  read: readCanonicalKubernetesConfig,
  ofTheCluster: OF_THE_CLUSTER,
  hosts: [['extra-sans']],
  expands: true,
  flags: {
    'kube-apiserver': ['extra-node-kube-apiserver-args'],
    'kube-controller-manager': ['extra-node-kube-controller-manager-args'],
    'kube-scheduler': ['extra-node-kube-scheduler-args'],
    'kube-proxy': ['extra-node-kube-proxy-args'],
    kubelet: ['extra-node-kubelet-args'],
  },
  refuse: (config, { owner }) => {
    refuseOwned(config['cluster-config'].dns ?? {}, DNS, 'cluster-config.dns', owner);
    refuseOwned(config['extra-node-kubelet-args'], OWNED_FLAGS, 'extra-node-kubelet-args', owner);
  },
};
