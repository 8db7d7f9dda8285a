/** What people call fields of `spec.bootstrap.config` with provider k0s. */
import { otherNames } from '../other-names.ts';

export const OTHER_NAMES = otherNames({
  'kubelet.extraArgs': 'kubeletExtraArgs nodeRegistration kubeletArgs kubelet.args kubelet.flags',
  'api.extraArgs': 'apiServer apiServerExtraArgs kubeAPIServer api.args',
  'api.sans': 'certSANs certSans sans apiServerCertSANs api.certSANs',
  'controllerManager.extraArgs': 'controllerManagerExtraArgs controllerManager.args',
  'scheduler.extraArgs': 'schedulerExtraArgs scheduler.args',
  'storage.etcd': 'etcd',
  'network.kubeProxy': 'kubeProxy kubeProxyConfiguration',
  workerProfiles: 'kubeletConfiguration kubelet.extraConfig maxPods kubelet.maxPods',
});
