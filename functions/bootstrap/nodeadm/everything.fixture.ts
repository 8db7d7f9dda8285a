/** A value for every field of the configuration of nodeadm. Nothing in it is a real secret. */
import type { JsonObject } from '#lib/api/json.ts';

/** `spec.bootstrap.config` of nodeadm. */
export const EVERY_NODEADM: JsonObject = {
  kubelet: {
    config: { maxPods: 60, clusterDNS: ['169.254.20.10'], shutdownGracePeriod: '30s' },
    flags: ['--v=2', '--image-credential-provider-config=/etc/eks/image-credential-provider/config.json'],
    maxPodsExpression: 'max_pods < 30 ? max_pods : 30',
  },
  containerd: {
    config: '[plugins."io.containerd.cri.v1.images"]\ndiscard_unpacked_layers = false\n',
    baseRuntimeSpec: { process: { rlimits: [{ type: 'RLIMIT_NOFILE', soft: 1024, hard: 1024 }] } },
  },
  instance: {
    localStorage: { strategy: 'RAID0', mountPath: '/mnt/k8s-disks', disabledMounts: ['PodLogs'] },
    environment: { kubelet: { TEAM: 'blü' } },
    network: { nameservers: ['10.0.0.2'], domains: ['example.com'] },
  },
  featureGates: { InstanceIdNodeName: true, FastImagePull: false },
};
