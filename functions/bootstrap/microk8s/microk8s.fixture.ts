/** Every field that a claim can set for MicroK8s. */
import type { JsonObject } from '#lib/api/json.ts';
import { plansOf } from '../plans.fixture.ts';

export const microk8sPlans = plansOf('microk8s');

/** Contains flags that look like other types of YAML 1.1. */
export const EVERY_MICROK8S: JsonObject = {
  extraKubeAPIServerArgs: { profiling: 'off', 'audit-log-maxage': '30' },
  extraKubeControllerManagerArgs: { 'node-monitor-grace-period': '20s' },
  extraKubeSchedulerArgs: { v: '2' },
  extraKubeProxyArgs: { 'proxy-mode': 'nftables' },
  extraKubeletArgs: { 'max-pods': '60' },
  extraDqliteArgs: { 'disk-mode': 'true' },
  extraSANs: ['k8s.example.com', '10.1.2.3'],
  addons: [{ name: 'dns', args: ['10.0.0.2'] }, { name: 'community/traefik' }],
  cloudProvider: 'none',
  kubeletConfiguration: { maxParallelImagePulls: 4 },
  riskLevel: 'candidate',
  confinement: 'strict',
};
