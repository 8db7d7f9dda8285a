/** What people call fields of `spec.bootstrap.config` with provider microk8s. */
import { otherNames } from '../other-names.ts';

export const OTHER_NAMES = otherNames({
  extraKubeletArgs: 'kubelet kubeletExtraArgs kubeletArgs kubelet-arg extra-kubelet-args',
  extraKubeAPIServerArgs: 'apiServer apiServerExtraArgs kubeAPIServer extraApiServerArgs',
  extraKubeControllerManagerArgs: 'controllerManager controllerManagerExtraArgs',
  extraKubeSchedulerArgs: 'scheduler schedulerExtraArgs',
  extraKubeProxyArgs: 'kubeProxy kubeProxyExtraArgs',
  extraSANs: 'certSANs certSans sans apiServerCertSANs',
  'kubeletConfiguration.maxPods': 'maxPods',
});
