/** One value for every field of Talos’ configuration. Nothing in it is a real secret. */
import type { JsonObject } from '#lib/api/json.ts';
import type { Release } from './traits.ts';

/** Strings that look like other types of YAML 1.1 stay strings. */
const EVERY_TALOS: JsonObject = {
  install: { disk: '/dev/nvme0n1', image: 'factory.talos.dev/metal-installer/fake:v1.13.9', wipe: true },
  certSANs: ['talos.example.com'],
  kubelet: {
    extraArgs: { 'rotate-server-certificates': 'true' },
    extraConfig: { maxPods: 60 },
    nodeIP: { validSubnets: ['10.0.0.0/16'] },
  },
  apiServer: { extraArgs: { profiling: 'off', 'event-ttl': '1h0m0s' }, certSANs: ['k8s.example.com', '10.1.2.3'] },
  controllerManager: { extraArgs: { 'node-cidr-mask-size': '24' } },
  scheduler: { extraArgs: { v: '2' } },
  etcd: { extraArgs: { 'quota-backend-bytes': '8589934592' }, advertisedSubnets: ['10.0.0.0/16'] },
  proxy: { mode: 'nftables', extraArgs: { v: '1' } },
  coreDNS: { disabled: true },
  cni: { name: 'custom', urls: ['https://example.com/cni.yaml'] },
  discovery: { enabled: false },
  allowSchedulingOnControlPlanes: true,
  extraManifests: ['https://example.com/ccm.yaml'],
  inlineManifests: [{ name: 'team', contents: 'apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n' }],
  cloudProvider: 'external',
  patches: {
    all: [{ kind: 'WatchdogTimerConfig', device: '/dev/watchdog0', timeout: '5m0s' }],
    controlPlane: [{ machine: { features: { apidCheckExtKeyUsage: true } } }],
    worker: [{ machine: { sysfs: { 'devices.system.cpu.cpu0.cpufreq.scaling_governor': 'performance' } } }],
  },
};

/** In 1.14 the first document has no such fields, and Talos warns about flags of kube-proxy. */
export function everyTalos(release: Release): JsonObject {
  if (release === '1.13') return { ...EVERY_TALOS, talosVersion: release };
  const patches = { all: [{ kind: 'KernelModuleConfig', name: 'nvme_tcp' }] };
  return { ...EVERY_TALOS, talosVersion: release, patches, proxy: { mode: 'nftables' } };
}
