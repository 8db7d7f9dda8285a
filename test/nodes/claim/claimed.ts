/**
 * What the functions create from the claims: they run in the embedded engine until everything is Ready, and its Secrets
 * are then first-boot data, authorities and kubeconfig of real machines. Machines keep the addresses, zones and ids of
 * the simulated cloud.
 */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import { gunzipSync } from 'node:zlib';
import { createEngine, type Engine } from '#simulator/engine.ts';
import { JOIN_TOKEN_KEY, joinTokenName } from '#lib/api/contracts/node-join.ts';
import { type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { API_VERSION, KUBERNETES_API_VERSION, NODE_API_VERSION } from '#lib/api/words.ts';
import { readObjects } from '../../../cli/files/read-objects.ts';
import { compositions, definitions } from '../../../cli/files/repository.ts';
import { inProcess } from '../../../cli/in-process/functions.ts';
import { withInputs } from '../../e2e/packages/platform.ts';

export type Part = 'first control plane' | 'joining control plane' | 'worker';

export interface ClaimedMachine {
  readonly name: string;
  readonly part: Part;
  /** In the network of the machines. */
  readonly address: string;
  readonly zone: string;
  readonly instanceId: string;
  readonly providerID: string;
  /** First-boot data as the cloud would pass it on. */
  readonly userData: Buffer;
  /** The spec of the Machine. */
  readonly spec: unknown;
  /** The spec of its WorkloadNode. */
  readonly nodeSpec: JsonObject;
}

export interface Claimed {
  /** Sorted by name, so control planes are sorted by number. */
  readonly machines: readonly ClaimedMachine[];
  /** What the functions composed for provider-kubernetes, as they desire it: a ProviderConfig and Objects. */
  readonly addOns: readonly KubeObject[];
  /** A key in a Secret of the Cluster, such as ca, tls.crt. Throws when it does not exist. */
  secret(suffix: string, key: string): Buffer;
  /** By which this machine joins. Throws when machines of its bootstrapper have no tokens of their own. */
  joinToken(machine: string): Buffer;
}

/** provider-node has only its documented rights in the cluster. */
const PLATFORM = { BootstrapInput: { providerNodeRights: 'Role' } };
const READY_SECONDS = 3600; // of virtual time

/** @param file a Cluster and its NodePools */
export async function claimed(file: string): Promise<Claimed> {
  const claims = readObjects([file]);
  // The certificates start at the time of the engine, and real clocks check them.
  const engine = createEngine({ clouds: SIMULATED_CLOUDS, start: new Date(), seed: 1, functions: inProcess });
  engine.load([...definitions(), ...withInputs(compositions(), PLATFORM)]);
  for (const claim of claims) engine.apply(claim);
  const { reached } = await engine.runUntil(() => engine.snapshot().ready, { limitSeconds: READY_SECONDS });
  if (!reached) throw new Error(`cannot bring the claims in ${file} to Ready: slipway simulate ${file} says why`);
  return read(engine, claims);
}

function read(engine: Engine, claims: readonly KubeObject[]): Claimed {
  const cluster = claims.find(({ kind }) => kind === 'Cluster');
  const { name = '', namespace = '' } = cluster?.metadata ?? {};
  const secret = (object: string, key: string): Buffer => {
    const text = stringAt(engine.get({ apiVersion: 'v1', kind: 'Secret', namespace, name: object }), 'data', key);
    if (text === undefined) throw new Error(`cannot find Secret "${object}" with a key ${key}`);
    return Buffer.from(text, 'base64');
  };
  const machines = engine.list({ apiVersion: API_VERSION, kind: 'Machine' }).map((machine) => {
    const own = machine.metadata?.name ?? '';
    const node = engine.get({ apiVersion: NODE_API_VERSION, kind: 'WorkloadNode', namespace, name: own });
    return { ...machineOf(machine, secret(`${own}-payload`, 'value')), nodeSpec: node?.spec ?? {} };
  });
  const addOns = ['ProviderConfig', 'Object'].flatMap((kind) =>
    engine.list({ apiVersion: KUBERNETES_API_VERSION, kind }).map(asComposed),
  );
  return {
    machines,
    addOns,
    secret: (suffix, key) => secret(`${name}-${suffix}`, key),
    joinToken: (machine) => secret(joinTokenName(machine), JOIN_TOKEN_KEY),
  };
}

/** Without what the simulated management cluster added. */
function asComposed({ apiVersion, kind, metadata, spec }: KubeObject): KubeObject {
  const { name = '', namespace = '', labels = {}, annotations = {} } = metadata ?? {};
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, labels, annotations },
    ...(spec === undefined ? {} : { spec }),
  };
}

function machineOf(machine: KubeObject, payload: Buffer): Omit<ClaimedMachine, 'nodeSpec'> {
  const providerID = stringAt(machine, 'status', 'providerID') ?? '';
  const [zone = '', instanceId = ''] = providerID.split('/').slice(-2);
  return {
    name: machine.metadata?.name ?? '',
    part: partOf(machine),
    address: addressOf(machine),
    zone,
    instanceId,
    providerID,
    userData: payload[0] === 0x1f ? gunzipSync(payload) : payload,
    spec: machine['spec'],
  };
}

function partOf(machine: KubeObject): Part {
  if (stringAt(machine, 'spec', 'role') === 'worker') return 'worker';
  return stringAt(machine, 'spec', 'bootstrap', 'action') === 'Init' ? 'first control plane' : 'joining control plane';
}

function addressOf(machine: KubeObject): string {
  const addresses = at(machine, 'status', 'addresses');
  const own = Array.isArray(addresses) ? addresses.find((one) => stringAt(one, 'type') === 'InternalIP') : undefined;
  return stringAt(own, 'address') ?? '';
}
