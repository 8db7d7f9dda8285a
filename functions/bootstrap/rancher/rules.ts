/** What k3s and RKE2 refuse of `spec.bootstrap.config`. */
import { type ConfigRules, refuseOwnedFlags } from '../claim-config.ts';
import { OWNED_FLAGS } from '../kubelet-flags.ts';
import type { Config } from './config.ts';
import { type Distribution, ofAllServers } from './distribution.ts';
import { installerOf } from './installer.ts';
import { readConfig } from './read-config.ts';

export function rancherRules(distribution: Pick<Distribution, 'name' | 'schema' | 'keys'>): ConfigRules<Config> {
  return {
    read: (config, owner) => readConfig(distribution, config, owner),
    // Agents read none of these.
    ofTheCluster: [...ofAllServers(distribution), ...distribution.keys.server] as ConfigRules<Config>['ofTheCluster'],
    hosts: [['tls-san']],
    expands: true,
    flags: {
      'kube-apiserver': ['kube-apiserver-arg'],
      'kube-controller-manager': ['kube-controller-manager-arg'],
      'kube-scheduler': ['kube-scheduler-arg'],
      'kube-proxy': ['kube-proxy-arg'],
      kubelet: ['kubelet-arg'],
    },
    refuse: (config, { owner }) => {
      installerOf(config, distribution.name, owner);
      refuseOwnedFlags(config['kubelet-arg'] ?? [], OWNED_FLAGS, 'kubelet-arg', owner);
    },
  };
}
