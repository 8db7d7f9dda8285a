/**
 * provider-node while machines join, with the cluster as its own management cluster: they join by the tokens that it
 * admits, so it runs before they boot.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '#lib/api/json.ts';
import { JOIN_TOKEN_KEY } from '#lib/api/contracts/node-join.ts';
import { payloadName } from '#lib/cloud/first-boot.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';
import { until } from '../../e2e/lab/waiting.ts';
import type { Processes, Running } from '../../e2e/lab/processes.ts';
import type { Claimed } from '../claim/claimed.ts';
import type { ClaimedMachine } from '../claim/machine.ts';
import type { Network } from './network.ts';

const ROOT = join(import.meta.dirname, '../../..');
const TEAM = 'team-a';
const CLUSTER = 'nodes';

/** What it needs of the lab. */
interface Place {
  readonly claimed: Claimed;
  readonly folder: string;
  readonly kubectl: (...args: readonly string[]) => Promise<string>;
  readonly network: Network;
  readonly processes: Processes;
  readonly management: string;
}

/** Starts provider-node, and waits until it has admitted the tokens of these machines. */
export async function letJoin(lab: Place, machines: readonly ClaimedMachine[]): Promise<Running> {
  const { kubectl, network, processes, management } = lab;
  await kubectl('apply', '--server-side', '--filename', join(ROOT, 'package/provider-node/crds'));
  await kubectl('wait', '--for=condition=Established', 'crd/workloadnodes.node.slipway.dev', '--timeout=180s');
  await apply(lab, ...objectsOf(lab, machines));
  const provider = processes.start({
    name: 'provider-node',
    program: 'nsenter',
    args: [
      `--net=${network.namespace}`,
      process.execPath,
      join(ROOT, 'controllers/node/main.ts'),
      `--kubeconfig=${management}`,
      '--metrics-address=',
    ],
  });
  for (const machine of machines)
    await until(`token of "${machine.name}" admitted`, { seconds: 120, every: 1000 }, async () =>
      (await isAdmitted(lab, machine)) ? { found: true } : { yet: 'it is not in the cluster' },
    );
  return provider;
}

/** Waits until no token of these machines, which are Nodes, is left; then provider-node ends. */
export async function haveJoined(lab: Place, machines: readonly ClaimedMachine[], provider: Running): Promise<void> {
  for (const machine of machines)
    await until(`token of "${machine.name}" gone`, { seconds: 60, every: 1000 }, async () =>
      (await isAdmitted(lab, machine)) ? { yet: 'it is in the cluster' } : { found: true },
    );
  await provider.stop();
}

/** Whether the cluster has the token of a machine. */
export async function isAdmitted(
  { kubectl }: Pick<Place, 'kubectl'>,
  { joinToken }: Pick<ClaimedMachine, 'joinToken'>,
): Promise<boolean> {
  const name = `bootstrap-token-${joinToken.toString().split('.')[0]}`;
  const found = await kubectl('get', 'secret', name, '--namespace=kube-system', '--ignore-not-found', '--output=name');
  return found.trim() !== '';
}

async function apply(
  { kubectl, folder }: Pick<Place, 'kubectl' | 'folder'>,
  ...objects: readonly KubeObject[]
): Promise<void> {
  const file = join(folder, 'applied.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }), { mode: 0o600 });
  await kubectl('apply', '--server-side', '--filename', file);
}

function objectsOf({ claimed }: Place, machines: readonly ClaimedMachine[]): readonly KubeObject[] {
  const shared = (suffix: string, keys: readonly string[]): KubeObject =>
    secret(
      `${CLUSTER}-${suffix}`,
      keys.map((key) => [key, claimed.secret(suffix, key)]),
    );
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: TEAM } },
    shared('provider-node', ['value']),
    shared('etcd', ['tls.crt', 'tls.key']),
    {
      apiVersion: NODE_API_VERSION,
      kind: 'ProviderConfig',
      metadata: { name: CLUSTER, namespace: TEAM },
      spec: { credentials: { secretRef: { name: `${CLUSTER}-provider-node` } } },
    },
    ...machines.map(({ name, joinToken }) => secret(payloadName(name), [[JOIN_TOKEN_KEY, joinToken]])),
    ...machines.map(({ name, nodeSpec }) => ({
      apiVersion: NODE_API_VERSION,
      kind: 'WorkloadNode',
      metadata: { name, namespace: TEAM },
      spec: nodeSpec,
    })),
  ];
}

function secret(name: string, data: readonly (readonly [key: string, bytes: Buffer])[]): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: TEAM },
    data: Object.fromEntries(data.map(([key, bytes]) => [key, bytes.toString('base64')])),
  };
}
