/** `spec.bootstrap.config` of a claim with provider rke2, with the names of RKE2. */
import { z } from 'zod';
import { withOtherNames } from '#lib/api/schema/rules.ts';
import { ownFields } from '../rancher/config.ts';
import { CLUSTER_KEYS, flag, list, NODE_KEYS, SERVER_KEYS, text } from '../rancher/keys.ts';
import { OTHER_NAMES } from '../rancher/other-names.ts';

const CLUSTER = {
  ...CLUSTER_KEYS,
  cni: z
    .array(z.enum(['none', 'canal', 'cilium', 'calico', 'flannel', 'multus']))
    .min(1)
    .optional()
    .describe('Pod networks to deploy. Default: canal.'),
  'enable-servicelb': flag('Whether the built-in load balancer for Services is enabled.'),
  'ingress-controller': list('Ingress controllers that are deployed.'),
};

const SERVER = {
  ...SERVER_KEYS,
  'audit-policy-file': text('File with the audit policy.'),
  'cloud-controller-manager-extra-env': list('Environment variables of the cloud controller manager.'),
  'cloud-controller-manager-extra-mount': list('Files of the machine mounted into the cloud controller manager.'),
  'cloud-controller-manager-image': text('Image of the cloud controller manager.'),
  'control-plane-probe-configuration': list('Probes of control-plane pods.'),
  'control-plane-resource-limits': list('Limits of control-plane pods.'),
  'control-plane-resource-requests': list('Requests of control-plane pods.'),
  'etcd-extra-env': list('Environment variables of etcd.'),
  'etcd-extra-mount': list('Files of the machine mounted into etcd.'),
  'etcd-image': text('Image of etcd.'),
  'kube-apiserver-extra-env': list('Environment variables of kube-apiserver.'),
  'kube-apiserver-extra-mount': list('Files of the machine mounted into kube-apiserver.'),
  'kube-apiserver-image': text('Image of kube-apiserver.'),
  'kube-controller-manager-extra-env': list('Environment variables of kube-controller-manager.'),
  'kube-controller-manager-extra-mount': list('Files of the machine mounted into kube-controller-manager.'),
  'kube-controller-manager-image': text('Image of kube-controller-manager.'),
  'kube-scheduler-extra-env': list('Environment variables of kube-scheduler.'),
  'kube-scheduler-extra-mount': list('Files of the machine mounted into kube-scheduler.'),
  'kube-scheduler-image': text('Image of kube-scheduler.'),
  'pod-security-admission-config-file': text('File with the configuration of pod security admission.'),
};

const NODE = {
  ...NODE_KEYS,
  'kube-proxy-extra-env': list('Environment variables of kube-proxy.'),
  'kube-proxy-extra-mount': list('Files of the machine mounted into kube-proxy.'),
  'kube-proxy-image': text('Image of kube-proxy.'),
  'kubelet-path': text('Path of the kubelet.'),
  profile: z
    .enum(['cis', 'etcd'])
    .optional()
    .describe('Benchmark that the machine must meet; its kernel settings and the user of etcd are made.'),
  'runtime-image': text('Image that containerd and the kubelet come from.'),
};

export const RKE2_KEYS = {
  cluster: Object.keys(CLUSTER),
  server: Object.keys(SERVER),
  node: Object.keys(NODE),
};

export const Rke2Config = withOtherNames(
  z.strictObject({
    ...ownFields('rke2r1', 'https://get.rke2.io'),
    ...CLUSTER,
    ...SERVER,
    ...NODE,
  }),
  OTHER_NAMES,
);

export type Rke2Config = z.output<typeof Rke2Config>;
