/** Settings of bootstrap providers that no machine could have. */
import type { JsonObject } from '#lib/api/json.ts';
import { cluster, type Input, pool, settings } from './input.ts';

const flag = (name: string): JsonObject => ({ kubelet: { extraArgs: { [name]: 'x' } } });
export const withProvider = (provider: string, config: JsonObject): JsonObject => ({
  bootstrap: { provider, config },
  ...(provider === 'talos' ? { provisioning: { format: 'talos' } } : {}),
});

/** Of kubeadm, the same in both kinds. */
const KUBEADM: Readonly<Record<string, JsonObject>> = {
  'a typo in the settings of kubeadm': settings({ kublet: {} }),
  'a flag of the kubelet with dashes': settings(flag('--v')),
  'a flag of the kubelet that is a number': settings({ kubelet: { extraArgs: { v: 2 } } }),
  'labels as a flag of the kubelet': settings(flag('node-labels')),
  'taints as a flag of the kubelet': settings(flag('register-with-taints')),
  'a host name as a flag of the kubelet': settings(flag('hostname-override')),
  'a patch of a component that is none': settings({ patches: [{ target: 'kubelet', patch: {} }] }),
};

export const BOOTSTRAP: readonly Input[] = [
  ...cluster(KUBEADM),
  ...pool(KUBEADM),
  ...pool({
    'a setting of the whole cluster': settings({ certSANs: ['api.example.com'] }),
  }),
  ...cluster({
    'k0s without a checksum': withProvider('k0s', {}),
    'labels as a flag of the kubelet of k0s': withProvider('k0s', { install: 'Skip', ...flag('node-labels') }),
    'coreDNS of k0s before v1.36': withProvider('k0s', { install: 'Skip', network: { coreDNS: {} } }),
    'a profile of k0s that nobody has': withProvider('k0s', { install: 'Skip', profile: 'dense' }),
    'labels as a flag of the kubelet of k3s': withProvider('k3s', {
      install: 'Skip',
      'kubelet-arg': ['node-labels=a=b'],
    }),
    'a token of k3s': withProvider('k3s', { install: 'Skip', token: 'hunter2' }),
    'taints as a flag of the kubelet of RKE2': withProvider('rke2', {
      install: 'Skip',
      'kubelet-arg': ['--register-with-taints=a=b:NoSchedule'],
    }),
    'a provider id as a flag of Talos': withProvider('talos', flag('provider-id')),
    'a folder of static pods in Talos': withProvider('talos', { kubelet: { extraConfig: { staticPodPath: '/etc' } } }),
    'a port of the API of MicroK8s': withProvider('microk8s', { extraKubeAPIServerArgs: { 'secure-port': '16443' } }),
    'a domain of the DNS of Canonical Kubernetes': withProvider('canonical-kubernetes', {
      'cluster-config': { dns: { 'cluster-domain': 'x.y' } },
    }),
  }),
];
