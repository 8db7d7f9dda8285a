/** What nodeadm refuses of `spec.bootstrap.config`. */
import { type ConfigRules, readClaimConfig, refuseOwned, refuseOwnedFlags } from '../claim-config.ts';
import { OWNED_FLAGS } from '../kubelet-flags.ts';
import { NodeadmConfig } from './config.ts';

const NODEADM = 'nothing, since nodeadm sets it';

/** Fields of KubeletConfiguration that are set from other fields, with these fields. */
const OWNED_FIELDS: Readonly<Record<string, string>> = {
  apiVersion: NODEADM,
  clusterDomain: 'spec.network.dnsDomain of the Cluster',
  kind: NODEADM,
  providerID: NODEADM,
  registerWithTaints: 'spec.taints',
};

const OWNED: Readonly<Record<string, string>> = {
  ...OWNED_FLAGS,
  'cloud-provider': NODEADM,
  'hostname-override': 'featureGates.InstanceIdNodeName, since EKS accepts no other names',
  'provider-id': NODEADM,
};

export const nodeadmRules: ConfigRules<NodeadmConfig> = {
  read: (config, owner) => readClaimConfig(NodeadmConfig, config, owner),
  ofTheCluster: [],
  flags: { kubelet: ['kubelet', 'flags'] },
  refuse: ({ kubelet: { config, flags } }, { owner }) => {
    refuseOwned(config, OWNED_FIELDS, 'kubelet.config', owner);
    refuseOwnedFlags(flags, OWNED, 'kubelet.flags', owner);
  },
};
