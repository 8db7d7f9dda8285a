/**
 * The add-ons of the claim, which provider-kubernetes applies: the real one, with the cluster as its own management
 * cluster. Until then the first machine has no pod network.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { readObjects } from '../../../cli/files/read-objects.ts';
import { built, builtFolder } from '../../e2e/binaries/find.ts';
import { PROVIDER_KUBERNETES } from '../../e2e/binaries/catalog.ts';
import type { Processes } from '../../e2e/lab/processes.ts';
import { until } from '../../e2e/lab/waiting.ts';
import type { Claimed } from '../claim/claimed.ts';
import { ADD_ON_PROVIDER } from '../image/programs.ts';
import type { Machine } from './machine.ts';
import type { Network } from './network.ts';

const TEAM = 'team-a';
const CLUSTER = 'nodes';

/** What it needs of the lab. */
interface Place {
  readonly claimed: Claimed;
  readonly folder: string;
  readonly kubectl: (...args: readonly string[]) => Promise<string>;
  readonly node: (name: string) => Promise<KubeObject>;
  readonly network: Network;
  readonly processes: Processes;
  readonly kubeconfig: string;
}

/** What the kubelet says while there is no pod network. */
export async function waitsForNetwork({ node }: Place, { name }: Machine): Promise<string> {
  return until(`Node "${name}" waits for a pod network`, { seconds: 600, every: 1000 }, async () => {
    const conditions = at(await node(name), 'status', 'conditions');
    const ready = Array.isArray(conditions) ? conditions.find((one) => stringAt(one, 'type') === 'Ready') : undefined;
    const message = stringAt(ready, 'message') ?? 'no condition Ready';
    return message.includes('NetworkPluginNotReady') ? { found: message } : { yet: message };
  });
}

/** Starts the provider with what the functions composed: a ProviderConfig and an Object for each manifest. */
export async function bringAddOns(place: Place): Promise<void> {
  const { claimed, folder, kubectl, network, processes, kubeconfig } = place;
  const apply = async (name: string, items: readonly KubeObject[]): Promise<void> => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }), { mode: 0o600 });
    await kubectl('apply', '--server-side', '--filename', file);
  };
  await apply('add-on-kinds', kinds());
  await kubectl('wait', '--for=condition=Established', 'crd/objects.kubernetes.m.crossplane.io', '--timeout=180s');
  await apply('add-ons', [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: TEAM } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `${CLUSTER}-kubeconfig`, namespace: TEAM },
      data: { value: claimed.secret('kubeconfig', 'value').toString('base64') },
    },
    ...claimed.addOns,
  ]);
  processes.start({
    name: 'provider-kubernetes',
    program: 'nsenter',
    args: [`--net=${network.namespace}`, built(ADD_ON_PROVIDER), '--poll=5s'],
    env: { KUBECONFIG: kubeconfig, TLS_SERVER_CERTS_DIR: certificates(place) },
  });
}

/** CRDs of its package. Crossplane says where their conversion is served; nothing here has another version. */
function kinds(): readonly KubeObject[] {
  return readObjects([join(builtFolder(PROVIDER_KUBERNETES), 'crds')]).map((crd) => {
    const { conversion: _conversion, ...spec } = crd.spec ?? {};
    return { ...crd, spec };
  });
}

/** For its webhook, which nobody calls here: it does not start without any. */
function certificates({ claimed, folder }: Place): string {
  const own = join(folder, 'webhook');
  mkdirSync(own, { recursive: true });
  for (const key of ['tls.crt', 'tls.key']) writeFileSync(join(own, key), claimed.secret('ca', key), { mode: 0o600 });
  return own;
}
