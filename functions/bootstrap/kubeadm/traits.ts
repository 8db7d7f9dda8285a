/** What other steps must know about kubeadm. */
import type { BootstrapperTable } from '#lib/cloud/traits.ts';

export const traits = {
  // kubeadm adds machines to etcd and removes them only with kubeadm reset.
  membership: { kind: 'KubeadmEtcd', secretSuffix: 'etcd' },
  externalEtcd: ['etcd', 'external'],
  hasShell: true,
  updatesKubernetes: true,
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
    },
  },
} as const satisfies BootstrapperTable;
