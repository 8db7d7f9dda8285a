/** What kubeadm refuses of `spec.bootstrap.config`. */
import { type ConfigRules, refuseOwned } from '../claim-config.ts';
import { OWNED_FIELD, OWNED_FLAGS } from '../kubelet-flags.ts';
import { type KubeadmConfig, OF_THE_CLUSTER, readKubeadmConfig } from './config.ts';
import { refusePatches } from './patch-rules.ts';
import { refuseNewer } from './since.ts';

export const kubeadmRules: ConfigRules<KubeadmConfig> = {
  read: readKubeadmConfig,
  ofTheCluster: OF_THE_CLUSTER,
  hosts: [['certSANs']],
  checksHosts: true,
  expands: true,
  flags: {
    'kube-apiserver': ['apiServer', 'extraArgs'],
    'kube-controller-manager': ['controllerManager', 'extraArgs'],
    'kube-scheduler': ['scheduler', 'extraArgs'],
    kubelet: ['kubelet', 'extraArgs'],
  },
  refuse: (config, asked) => {
    const { role, version, owner } = asked;
    refuseOwned(config.kubelet.extraArgs, OWNED_FLAGS, 'kubelet.extraArgs', owner);
    refuseOwned(config.kubeletConfiguration ?? {}, OWNED_FIELD, 'kubeletConfiguration', owner);
    if (role === 'control-plane') refuseNewer(config, version, owner);
    refusePatches(config, asked);
  },
};
