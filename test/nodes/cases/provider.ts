/** provider-node, started on the real cluster, and its objects: what cases about it share. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import { until } from '../../e2e/lab/waiting.ts';
import type { Running } from '../../e2e/lab/processes.ts';
import { UPDATER } from '../image/kubeadm.ts';
import type { Lab } from '../lab/lab.ts';
import type { Machine } from '../lab/machine.ts';

const ROOT = join(import.meta.dirname, '../../..');
export const TEAM = 'team-a';
const CLUSTER = 'nodes';
/** A program that only waits. */
export const PAUSE_IMAGE = 'images.example.com/pause:3.10.2';

/** Its CRDs, and a WorkloadNode for each machine. */
export async function install(lab: Lab, machines: readonly Machine[]): Promise<void> {
  const { kubectl } = lab;
  await kubectl('apply', '--server-side', '--filename', join(ROOT, 'package/provider-node/crds'));
  await kubectl('wait', '--for=condition=Established', 'crd/workloadnodes.node.slipway.dev', '--timeout=180s');
  await apply(lab, ...objectsOf(lab, machines));
}

export function startProvider({ network, processes, management }: Lab): Running {
  return processes.start({
    name: 'provider-node',
    program: 'nsenter',
    args: [
      `--net=${network.namespace}`,
      process.execPath,
      join(ROOT, 'controllers/node/main.ts'),
      `--kubeconfig=${management}`,
      '--metrics-address=',
      `--updater-image=${UPDATER}`,
    ],
  });
}

function objectsOf({ claimed }: Lab, machines: readonly Machine[]): readonly KubeObject[] {
  const secret = (suffix: string, keys: readonly string[]): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `${CLUSTER}-${suffix}`, namespace: TEAM },
    data: Object.fromEntries(keys.map((key) => [key, claimed.secret(suffix, key).toString('base64')])),
  });
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: TEAM } },
    secret('provider-node', ['value']),
    secret('etcd', ['tls.crt', 'tls.key']),
    {
      apiVersion: NODE_API_VERSION,
      kind: 'ProviderConfig',
      metadata: { name: CLUSTER, namespace: TEAM },
      spec: { credentials: { secretRef: { name: `${CLUSTER}-provider-node` } } },
    },
    ...machines.map(({ name, part, providerID }) => ({
      apiVersion: NODE_API_VERSION,
      kind: 'WorkloadNode',
      metadata: { name, namespace: TEAM },
      spec: {
        providerConfigRef: { name: CLUSTER },
        clusterRef: { name: CLUSTER },
        node: { name, providerID },
        ...(part === 'worker' ? {} : { membership: { kind: 'KubeadmEtcd', secretRef: { name: `${CLUSTER}-etcd` } } }),
      },
    })),
  ];
}

export async function apply({ kubectl, folder }: Lab, ...objects: readonly KubeObject[]): Promise<void> {
  const file = join(folder, 'applied.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }), { mode: 0o600 });
  await kubectl('apply', '--server-side', '--filename', file);
}

/** Waits for the reason of a condition; returns its message. */
export async function condition({ kubectl }: Lab, name: string, type: string, reason: string): Promise<string> {
  return until(`${type} of WorkloadNode "${name}" is ${reason}`, { seconds: 120, every: 1000 }, async () => {
    const object = JSON.parse(
      await kubectl('get', 'workloadnode', name, `--namespace=${TEAM}`, '--output=json'),
    ) as unknown;
    const conditions = at(object, 'status', 'conditions');
    const found = Array.isArray(conditions) ? conditions.find((one) => stringAt(one, 'type') === type) : undefined;
    const said = `${stringAt(found, 'reason')}: ${stringAt(found, 'message')}`;
    return stringAt(found, 'reason') === reason ? { found: said } : { yet: said };
  });
}

export async function phaseOf({ kubectl }: Lab, pod: string): Promise<string> {
  return kubectl('get', 'pod', pod, '--output=jsonpath={.status.phase}');
}

export async function running(lab: Lab, pod: string): Promise<void> {
  await until(`Pod "${pod}" runs`, { seconds: 120, every: 1000 }, async () => {
    const phase = await phaseOf(lab, pod);
    return phase === 'Running' ? { found: true } : { yet: phase };
  });
}
