/** Machines of a k0s cluster, and a value for every field of its configuration. Nothing in it is a real secret. */
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Request } from '#lib/fn/request.ts';
import { aMachine } from '../../../test/support/claims.ts';
import { aBootstrappedCluster, type Bootstrapped, machineRequest, MACHINES } from '../../../test/support/first-boot.ts';
import { replyOf } from '../../../test/support/function-laws.ts';
import { run } from '../fn.ts';
import { fileIn } from '../plans.fixture.ts';

export type Kind = keyof typeof MACHINES;
export const KINDS: readonly Kind[] = ['init', 'control-plane', 'worker'];

export const EVERY_K0S: JsonObject = {
  api: { sans: ['k8s.example.com'], extraArgs: { 'audit-log-maxage': '30', profiling: 'off' } },
  controllerManager: { extraArgs: { 'node-monitor-grace-period': '20s' } },
  scheduler: { extraArgs: { profiling: 'off' } },
  storage: { etcd: { extraArgs: { 'quota-backend-bytes': '8589934592' } } },
  network: {
    provider: 'calico',
    calico: { mode: 'vxlan' },
    kubeProxy: { mode: 'nftables' },
    nodeLocalLoadBalancing: { enabled: false },
  },
  images: { repository: 'registry.example.com/k0s' },
  extensions: { helm: { concurrencyLevel: 2 } },
  featureGates: [{ name: 'InPlacePodVerticalScaling', enabled: true }],
  workerProfiles: [{ name: 'dense', values: { maxPods: 200 } }],
  telemetry: { enabled: true },
  disableComponents: ['metrics-server', 'autopilot'],
  encryptionAlgorithm: 'RSA-2048',
  profile: 'dense',
  kubelet: { extraArgs: { 'max-pods': '110', 'node-ip': '10.0.0.9' } },
  cloudProvider: 'none',
  release: 'k0s.1',
  install: 'Download',
  download: { url: 'https://mirror.example.com/k0s', sha256: { amd64: 'a'.repeat(64), arm64: 'b'.repeat(64) } },
};

/** One cluster for each configuration, before and after it was initialized. */
const clusters = new Map<string, Promise<Bootstrapped>>();
export function clusterOf(config: JsonObject = {}, version = 'v1.35.4', initialized = true): Promise<Bootstrapped> {
  const key = JSON.stringify([config, version, initialized]);
  const spec = { version, bootstrap: { provider: 'k0s', config } };
  const found = clusters.get(key) ?? aBootstrappedCluster({ spec, initialized });
  clusters.set(key, found);
  return found;
}

export function k0sMachine(kind: Kind, config: JsonObject = {}, spec: JsonObject = {}): KubeObject {
  const { role, bootstrap } = MACHINES[kind];
  const how = { ...(bootstrap as JsonObject), provider: 'k0s', config };
  return aMachine({ name: `prod-${kind}-0-aaaaa`, spec: { ...spec, role, bootstrap: how } });
}

export interface Wanted {
  readonly config?: JsonObject;
  /** Configuration of the pool; defaults to that of the Cluster. */
  readonly poolConfig?: JsonObject;
  readonly spec?: JsonObject;
  readonly version?: string;
}

export async function requestOf(
  kind: Kind,
  { config = {}, poolConfig = config, spec = {}, version = 'v1.35.4' }: Wanted = {},
): Promise<Request> {
  const cluster = await clusterOf(config, version, kind !== 'init');
  return machineRequest(cluster, k0sMachine(kind, poolConfig, { version, ...spec }));
}

export async function planOf(kind: Kind, wanted?: Wanted): Promise<ScriptedPlan> {
  const reply = await replyOf(run, await requestOf(kind, wanted));
  return ScriptedPlan.parse(reply.context['slipway.dev/bootstrap-plan']);
}

/** The kubeconfig in a join token. */
export function kubeconfigIn(plan: ScriptedPlan): JsonObject {
  const token = fileIn(plan, '/etc/k0s.token') ?? '';
  return parse(gunzipSync(Buffer.from(token, 'base64')).toString()) as JsonObject;
}
