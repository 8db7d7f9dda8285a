/** A value for every field of the configuration of RKE2. Nothing in it is a real secret. */
import type { JsonObject } from '#lib/api/json.ts';
import { EVERY_RANCHER } from '../rancher/everything.fixture.ts';

const EXTRA = [
  'cloud-controller-manager',
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-proxy',
  'kube-scheduler',
];

/** `spec.bootstrap.config` of RKE2. */
export const EVERY_RKE2: JsonObject = {
  ...EVERY_RANCHER,
  release: 'rke2r2',
  cni: ['multus', 'cilium'],
  'enable-servicelb': true,
  'ingress-controller': ['traefik'],
  'audit-policy-file': '/etc/audit.yaml',
  'control-plane-probe-configuration': ['kube-apiserver-startup-timeout-seconds=60'],
  'control-plane-resource-limits': ['kube-apiserver-cpu=2'],
  'control-plane-resource-requests': ['kube-apiserver-cpu=500m'],
  'kubelet-path': '/opt/kubelet',
  'pod-security-admission-config-file': '/etc/psa.yaml',
  profile: 'cis',
  'runtime-image': 'registry.example.com/runtime:v1',
  ...Object.fromEntries(
    EXTRA.flatMap((name) => [
      [`${name}-extra-env`, ['A=on']],
      [`${name}-extra-mount`, ['/etc/a:/etc/a:ro']],
      [`${name}-image`, `registry.example.com/${name}:v1`],
    ]),
  ),
};
