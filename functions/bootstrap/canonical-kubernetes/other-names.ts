/** What people call fields of `spec.bootstrap.config` with provider canonical-kubernetes. */
import { otherNames } from '../other-names.ts';

export const OTHER_NAMES = otherNames({
  'extra-node-kubelet-args': 'kubelet kubeletExtraArgs extraNodeKubeletArgs extraKubeletArgs maxPods',
  'extra-node-kube-apiserver-args': 'apiServer apiServerExtraArgs extraNodeKubeApiserverArgs extraKubeAPIServerArgs',
  'extra-node-kube-controller-manager-args': 'controllerManager extraNodeKubeControllerManagerArgs',
  'extra-node-kube-scheduler-args': 'scheduler extraNodeKubeSchedulerArgs',
  'extra-node-kube-proxy-args': 'kubeProxy extraNodeKubeProxyArgs',
  'extra-sans': 'certSANs certSans sans extraSANs apiServerCertSANs',
  'cluster-config': 'clusterConfig',
});
