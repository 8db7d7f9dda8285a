/** What people call fields of `spec.bootstrap.config` with the providers k3s and rke2, which have the same ones. */
import { otherNames } from '../other-names.ts';

export const OTHER_NAMES = otherNames({
  'kubelet-arg': 'kubelet kubeletExtraArgs kubeletArgs kubeletArg extraKubeletArgs kubeletConfiguration maxPods',
  'kube-apiserver-arg': 'apiServer apiServerExtraArgs kubeAPIServer kubeAPIServerArg kubeApiserverArg',
  'kube-controller-manager-arg': 'controllerManager controllerManagerExtraArgs kubeControllerManager',
  'kube-scheduler-arg': 'scheduler schedulerExtraArgs kubeScheduler kubeSchedulerArg',
  'kube-proxy-arg': 'kubeProxy kubeProxyExtraArgs kubeProxyConfiguration kubeProxyArg',
  'etcd-arg': 'etcd etcdExtraArgs',
  'tls-san': 'certSANs certSans tlsSan tlsSans sans apiServerCertSANs',
  disable: 'disableComponents',
});
