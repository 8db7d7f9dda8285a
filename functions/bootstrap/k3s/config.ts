/** `spec.bootstrap.config` of a claim with provider k3s, with the names of k3s. */
import { z } from 'zod';
import { withOtherNames } from '#lib/api/schema/rules.ts';
import { ownFields } from '../rancher/config.ts';
import { CLUSTER_KEYS, flag, NODE_KEYS, SERVER_KEYS, text } from '../rancher/keys.ts';
import { OTHER_NAMES } from '../rancher/other-names.ts';

const CLUSTER = {
  ...CLUSTER_KEYS,
  'disable-helm-controller': flag('Disables the Helm controller of k3s.'),
  'disable-network-policy': flag('Disables the network policy controller of k3s.'),
  'flannel-backend': z
    .enum(['none', 'vxlan', 'host-gw', 'wireguard-native'])
    .optional()
    .describe('Backend of flannel. none: you install the pod network yourself.'),
  'flannel-external-ip': flag('Whether flannel uses external addresses of nodes.'),
  'flannel-ipv6-masq': flag('Whether IPv6 traffic of pods is masqueraded.'),
  'secrets-encryption': flag('Whether Secrets are stored encrypted.'),
};

const SERVER = {
  ...SERVER_KEYS,
  'default-local-storage-path': text('Folder of local volumes.'),
  'servicelb-namespace': text('Namespace of the built-in load balancer for Services.'),
};

const NODE = {
  ...NODE_KEYS,
  'flannel-cni-conf': text('CNI configuration of flannel.'),
  'flannel-conf': text('Configuration of flannel.'),
  'flannel-iface': text('Network interface of flannel.'),
  'prefer-bundled-bin': flag('Whether programs bundled with k3s are preferred to those of the host.'),
};

export const K3S_KEYS = {
  cluster: Object.keys(CLUSTER),
  server: Object.keys(SERVER),
  node: Object.keys(NODE),
};

export const K3sConfig = withOtherNames(
  z.strictObject({
    ...ownFields('k3s1', 'https://get.k3s.io'),
    ...CLUSTER,
    ...SERVER,
    ...NODE,
  }),
  OTHER_NAMES,
);
