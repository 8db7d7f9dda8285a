/** What Talos refuses of `spec.bootstrap.config`. */
import { refuseMinor } from '#lib/cloud/minors.ts';
import { type ConfigRules, refuseOwned } from '../claim-config.ts';
import { OWNED_FLAGS } from '../kubelet-flags.ts';
import { OF_THE_CLUSTER, readTalosConfig, type TalosConfig } from './config.ts';
import { RELEASES } from './traits.ts';

/** All machines read the same configuration, so something else must set the provider id. */
const PROVIDER_ID = 'nothing, since the cloud controller manager sets it';

/** Fields of KubeletConfiguration that Talos sets itself and refuses; Slipway sets the last one. */
const OWNED_FIELDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'apiVersion',
      'authentication',
      'authorization',
      'cgroupRoot',
      'kind',
      'kubeletCgroups',
      'port',
      'protectKernelDefaults',
      'resolvConf',
      'rotateCertificates',
      'seccompDefault',
      'staticPodPath',
      'systemCgroups',
    ].map((field) => [field, 'nothing, since Talos sets it']),
  ),
  providerID: PROVIDER_ID,
  registerWithTaints: 'spec.taints',
};

export const talosRules: ConfigRules<TalosConfig> = {
  read: readTalosConfig,
  ofTheCluster: OF_THE_CLUSTER,
  hosts: [['certSANs'], ['apiServer', 'certSANs']],
  flags: {
    'kube-apiserver': ['apiServer', 'extraArgs'],
    'kube-controller-manager': ['controllerManager', 'extraArgs'],
    'kube-scheduler': ['scheduler', 'extraArgs'],
    'kube-proxy': ['proxy', 'extraArgs'],
    kubelet: ['kubelet', 'extraArgs'],
  },
  refuse: ({ talosVersion, kubelet: { extraArgs, extraConfig } }, { version, owner }) => {
    refuseMinor(version, RELEASES[talosVersion], `Talos ${talosVersion}`, owner);
    refuseOwned(extraArgs, { ...OWNED_FLAGS, 'provider-id': PROVIDER_ID }, 'kubelet.extraArgs', owner);
    refuseOwned(extraConfig, OWNED_FIELDS, 'kubelet.extraConfig', owner);
  },
};
