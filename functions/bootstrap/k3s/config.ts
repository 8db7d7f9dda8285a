/** `spec.bootstrap.config` of a claim whose provider is k3s, in k3s' own words. */
import { z } from 'zod';
import { ownFields } from '../rancher/config.ts';
import { CLUSTER_KEYS, flag, NODE_KEYS, SERVER_KEYS, text } from '../rancher/keys.ts';

const CLUSTER = {
  ...CLUSTER_KEYS,
  'disable-helm-controller': flag('Whether charts are not installed by k3s.'),
  'disable-network-policy': flag('Whether network policies are not enforced by k3s.'),
  'flannel-backend': z
    .enum(['none', 'vxlan', 'host-gw', 'wireguard-native'])
    .optional()
    .describe('How flannel connects nodes. none: the pod network is installed by somebody else.'),
  'flannel-external-ip': flag('Whether flannel uses external addresses of nodes.'),
  'flannel-ipv6-masq': flag('Whether IPv6 of pods is masqueraded.'),
  'secrets-encryption': flag('Whether Secrets are stored encrypted.'),
};

const SERVER = {
  ...SERVER_KEYS,
  'default-local-storage-path': text('Where local volumes lie.'),
  'servicelb-namespace': text('Namespace of the load balancer that comes along.'),
};

const NODE = {
  ...NODE_KEYS,
  'flannel-cni-conf': text('CNI configuration of flannel.'),
  'flannel-conf': text('Configuration of flannel.'),
  'flannel-iface': text('Network interface of flannel.'),
  'prefer-bundled-bin': flag('Whether programs of k3s are used rather than the host’s.'),
};

export const K3S_KEYS = {
  cluster: Object.keys(CLUSTER),
  server: Object.keys(SERVER),
  node: Object.keys(NODE),
};

export const K3sConfig = z.strictObject({
  ...ownFields('k3s1', 'https://get.k3s.io'),
  ...CLUSTER,
  ...SERVER,
  ...NODE,
});
