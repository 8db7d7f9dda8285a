/** A value for every field of the configuration of k3s. Nothing in it is a real secret. */
import type { JsonObject } from '#lib/api/json.ts';
import { EVERY_RANCHER } from '../rancher/everything.fixture.ts';

/** `spec.bootstrap.config` of k3s. */
export const EVERY_K3S: JsonObject = {
  ...EVERY_RANCHER,
  release: 'k3s2',
  'disable-helm-controller': true,
  'disable-network-policy': true,
  'flannel-backend': 'wireguard-native',
  'flannel-external-ip': true,
  'flannel-ipv6-masq': true,
  'secrets-encryption': true,
  'default-local-storage-path': '/srv/volumes',
  'servicelb-namespace': 'balancers',
  'flannel-cni-conf': '/etc/cni.conf',
  'flannel-conf': '/etc/flannel.conf',
  'flannel-iface': 'ens5',
  'prefer-bundled-bin': true,
};
