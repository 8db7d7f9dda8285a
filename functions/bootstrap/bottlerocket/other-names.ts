/** What people call fields of `spec.bootstrap.config` with provider bottlerocket. */
import { otherNames } from '../other-names.ts';

export const OTHER_NAMES = otherNames({
  kubernetes: 'kubelet kubeletConfiguration kubeletExtraArgs settings',
  'kubernetes.max-pods': 'maxPods kubernetes.maxPods',
  'kubernetes.eviction-hard': 'evictionHard kubernetes.evictionHard',
  'kubernetes.system-reserved': 'systemReserved kubernetes.systemReserved',
  'kubernetes.kube-reserved': 'kubeReserved kubernetes.kubeReserved',
  'kubernetes.cluster-dns-ip': 'clusterDNS kubernetes.clusterDNS clusterDNSIP',
});
