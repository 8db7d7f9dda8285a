/** What people call fields of `spec.bootstrap.config` with provider kubeadm. */
import { kubeletFields, otherNames } from '../other-names.ts';

export const OTHER_NAMES = otherNames({
  ...kubeletFields('kubeletConfiguration'),
  kubeletConfiguration: 'kubeletConfig kubelet.config kubelet.configuration kubelet.extraConfig',
  kubeProxyConfiguration: 'kubeProxy proxy kubeProxyConfig',
  'kubelet.extraArgs':
    'kubeletExtraArgs nodeRegistration kubeletArgs kubelet.args kubelet.flags kubelet.kubeletExtraArgs',
  'apiServer.extraArgs': 'apiServerExtraArgs kubeAPIServer kubeApiServer apiServer.args apiServer.flags',
  'controllerManager.extraArgs': 'controllerManagerExtraArgs controllerManager.args controllerManager.flags',
  'scheduler.extraArgs': 'schedulerExtraArgs scheduler.args scheduler.flags',
  etcd: 'etcd.local',
  'etcd.extraArgs': 'etcdExtraArgs',
  'etcd.external.endpoints': 'externalEtcd',
  certSANs: 'apiServerCertSANs apiServerCertSans apiserverCertSANs certSans sans apiServer.certSANs apiServer.certSans',
  'spec.bootstrap.config': 'clusterConfiguration initConfiguration joinConfiguration kubeadmConfigSpec',
  ignorePreflightErrors: 'ignorePreflight',
});
