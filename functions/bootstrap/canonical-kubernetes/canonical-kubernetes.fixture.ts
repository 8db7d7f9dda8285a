/** A value for every field of the configuration of Canonical Kubernetes. */
import type { JsonObject } from '#lib/api/json.ts';
import { plansOf } from '../plans.fixture.ts';

export const canonicalPlans = plansOf('canonical-kubernetes');

/** Flags that look like other types of YAML 1.1. */
export const EVERY_CANONICAL: JsonObject = {
  'cluster-config': {
    network: { enabled: true },
    dns: { enabled: true, 'upstream-nameservers': ['10.0.0.2'] },
    ingress: { enabled: true, 'default-tls-secret': 'tls' },
    'load-balancer': { enabled: true, cidrs: ['10.0.9.0/24'] },
    'local-storage': { enabled: false },
    gateway: { enabled: false },
    'metrics-server': { enabled: true },
  },
  'extra-sans': ['k8s.example.com', '10.1.2.3'],
  'extra-node-kube-apiserver-args': { profiling: 'off', 'audit-log-maxage': '30' },
  'extra-node-kube-controller-manager-args': { 'node-monitor-grace-period': '20s' },
  'extra-node-kube-scheduler-args': { v: '2' },
  'extra-node-kube-proxy-args': { 'proxy-mode': 'nftables' },
  'extra-node-kubelet-args': { 'max-pods': '60' },
  'extra-node-containerd-args': { 'log-level': 'debug' },
  k8sdProxyImage: 'registry.example.com/socat:1',
  cloudProvider: 'none',
  riskLevel: 'candidate',
};
