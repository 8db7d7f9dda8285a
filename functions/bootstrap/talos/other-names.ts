/** What people call fields of `spec.bootstrap.config` with provider talos. */
import { kubeletFields, otherNames } from '../other-names.ts';

export const OTHER_NAMES = otherNames({
  ...kubeletFields('kubelet.extraConfig'),
  'kubelet.extraConfig': 'kubeletConfiguration kubelet.config',
  'kubelet.extraArgs': 'kubeletExtraArgs nodeRegistration kubeletArgs kubelet.args',
  'apiServer.extraArgs': 'apiServerExtraArgs kubeAPIServer apiServer.args',
  'apiServer.certSANs': 'apiServerCertSANs apiServer.sans',
  'controllerManager.extraArgs': 'controllerManagerExtraArgs controllerManager.args',
  'scheduler.extraArgs': 'schedulerExtraArgs scheduler.args',
  'patches.all': 'configPatches strategicPatches machine cluster',
  proxy: 'kubeProxy',
});
