/** What other steps must know about kubeadm. */
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

/** Of an API server that writes an audit log of its own. */
export const AUDITING_FLAG = /^audit-(policy-file|log-path|webhook-)/;
/** API servers accept no file of authentication beside these flags. */
export const AUTHENTICATING_FLAG = /^(?:anonymous-auth|authentication-config|oidc-.*)$/;

export const traits = {
  plan: {
    kind: 'scripted',
    os: ['linux', 'windows'],
    writes: [
      { path: '/etc/kubernetes/kubeadm.yaml' },
      { path: '/etc/kubernetes/kubeadm-cluster.yaml', role: 'control-plane' },
      { path: '/etc/kubernetes/pki/ca.crt', role: 'control-plane' },
      { path: '/etc/kubernetes/pki/ca.key', role: 'control-plane' },
      { path: '/etc/kubernetes/pki/etcd/ca.crt', role: 'control-plane' },
      { path: '/etc/kubernetes/pki/front-proxy-ca.crt', role: 'control-plane' },
      { path: '/etc/kubernetes/pki/front-proxy-ca.key', role: 'control-plane' },
      { path: '/etc/kubernetes/pki/sa.pub', role: 'control-plane' },
      { path: '/etc/kubernetes/pki/sa.key', role: 'control-plane' },
      { path: '/etc/modules-load.d/50-slipway-kubeadm.conf', os: 'linux' },
      { path: '/etc/sysctl.d/50-slipway-kubeadm.conf', os: 'linux' },
      { path: '/etc/containerd/certs.d/<host>/hosts.toml', with: 'registry', os: 'linux' },
      { path: '/etc/containerd/certs.d/<host>/ca.crt', with: 'certificate of a registry', os: 'linux' },
      { path: '/etc/systemd/system/containerd.service.d/90-slipway-proxy.conf', with: 'proxy', os: 'linux' },
      { path: '/etc/systemd/system/kubelet.service.d/90-slipway-proxy.conf', with: 'proxy', os: 'linux' },
      {
        path: '/etc/kubernetes/pki/encryption.yaml',
        role: 'control-plane',
        unless: { field: ['encryptSecrets'], is: false },
      },
      {
        path: '/etc/kubernetes/audit-policy.yaml',
        role: 'control-plane',
        unless: { field: ['apiServer', 'extraArgs'], is: AUDITING_FLAG },
      },
      {
        path: '/etc/kubernetes/authentication.yaml',
        role: 'control-plane',
        unless: { field: ['apiServer', 'extraArgs'], is: AUTHENTICATING_FLAG, since: 32 },
      },
    ],
  },
  // kubeadm adds machines to etcd and removes them only with kubeadm reset.
  membership: { kind: 'KubeadmEtcd', secretSuffix: 'etcd' },
  externalEtcd: ['etcd', 'external'],
  hasShell: true,
  updatesKubernetes: true,
  updatesRegistries: true,
  kubelet: {
    field: 'kubeletConfiguration',
    since: 25,
    // The kubelet does not start with others beside the pods or the state that it has, or it moves them.
    lasting: [
      'cgroupDriver',
      'cgroupRoot',
      'cgroupsPerQOS',
      'cpuManagerPolicy',
      'cpuManagerPolicyOptions',
      'failSwapOn',
      'kubeReservedCgroup',
      'memoryManagerPolicy',
      'memorySwap',
      'podLogsDir',
      'reservedMemory',
      'reservedSystemCPUs',
      'staticPodPath',
      'systemCgroups',
      'systemReservedCgroup',
      'topologyManagerPolicy',
      'topologyManagerPolicyOptions',
      'topologyManagerScope',
    ],
  },
  minors: {
    // The first version that reads v1beta3.
    oldest: 22,
    since: {
      v1beta4: 31,
      'anonymous requests by path': 32,
      'AuthenticationConfiguration v1': 34,
      'certificateValidityPeriod and caCertificateValidityPeriod': 31,
      'encryptionAlgorithm ECDSA-P384': 34,
      'patches of kubeletconfiguration': 25,
      'patches of corednsdeployment': 32,
      'phases of addons in upgrades': 32,
      'no folder of volume plug-ins': 36,
    },
  },
  brings: [
    { part: 'kube-proxy', unless: [{ field: ['skipPhases', 'init'], is: ['addon', 'addon/all', 'addon/kube-proxy'] }] },
    { part: 'dns', unless: [{ field: ['skipPhases', 'init'], is: ['addon', 'addon/all', 'addon/coredns'] }] },
  ],
} as const satisfies BootstrapperTable;
