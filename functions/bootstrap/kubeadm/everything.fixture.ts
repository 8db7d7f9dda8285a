/** A value for every field of the configuration of kubeadm. Nothing in it is a real secret. */
import { minor } from 'semver';
import type { JsonObject } from '#lib/api/json.ts';
import { traits } from './traits.ts';

/** `spec.bootstrap.config` of kubeadm; the flags look like other types of YAML 1.1. */
export const EVERY_KUBEADM: JsonObject = {
  imageRepository: 'registry.example.com/k8s',
  certSANs: ['k8s.example.com', '10.1.2.3'],
  apiServer: {
    extraArgs: { 'audit-log-maxage': '30', profiling: 'off', 'event-ttl': '1h0m0s' },
    extraVolumes: [{ name: 'audit', hostPath: '/etc/audit.yaml', mountPath: '/etc/audit.yaml' }],
  },
  controllerManager: { extraArgs: { 'node-cidr-mask-size': '24' } },
  scheduler: { extraArgs: { v: '2' } },
  etcd: { dataDir: '/var/lib/etcd-data', extraArgs: { 'quota-backend-bytes': '8589934592' } },
  kubelet: { extraArgs: { 'max-pods': '60' } },
  featureGates: { RootlessControlPlane: false },
  encryptSecrets: false,
  encryptionAlgorithm: 'RSA-2048',
  certificateValidityPeriod: '2160h',
  caCertificateValidityPeriod: '43800h0m0s',
  cloudProvider: 'none',
  ignorePreflightErrors: ['SystemVerification'],
  imagePullPolicy: 'Never',
  skipPhases: { init: ['addon/coredns'], join: ['preflight'] },
  patches: [
    { target: 'kube-apiserver', patch: { metadata: { annotations: { patched: 'yes' } } } },
    { target: 'kubeletconfiguration', type: 'json', patch: [{ op: 'add', path: '/maxPods', value: 60 }] },
  ],
  kubeletConfiguration: { maxPods: 60, failSwapOn: false },
  kubeProxyConfiguration: { mode: 'nftables', conntrack: { maxPerCore: 0, min: 0 } },
};

/** The fields that kubeadm of that version has. */
export function everyKubeadm(version: string): JsonObject {
  if (minor(version) >= traits.minors.since.v1beta4) return EVERY_KUBEADM;
  const { certificateValidityPeriod: _leaf, caCertificateValidityPeriod: _ca, ...rest } = EVERY_KUBEADM;
  return rest;
}
