/** A machine of the claim: its spec, its first-boot data, and what it joins by. */
import { gunzipSync } from 'node:zlib';
import type { Engine } from '#simulator/engine.ts';
import { JOIN_TOKEN_KEY } from '#lib/api/contracts/node-join.ts';
import { payloadName } from '#lib/cloud/first-boot.ts';
import { type JsonObject, type KubeObject, at, stringAt } from '#lib/api/json.ts';
import { NODE_API_VERSION } from '#lib/api/words.ts';

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
  /** By which it joins; empty where machines of its bootstrapper have no tokens of their own. */
  readonly joinToken: Buffer;
}

/** Read at once: what is secret of a machine goes with it. */
export function claimedMachine(engine: Engine, machine: KubeObject): ClaimedMachine {
  const { name = '', namespace = '' } = machine.metadata ?? {};
  const payload = secretIn(engine, namespace, payloadName(name), 'value');
  const node = engine.get({ apiVersion: NODE_API_VERSION, kind: 'WorkloadNode', namespace, name });
  const stored = engine.get({ apiVersion: 'v1', kind: 'Secret', namespace, name: payloadName(name) });
  const joinToken = Buffer.from(stringAt(stored, 'data', JOIN_TOKEN_KEY) ?? '', 'base64');
  return { ...machineOf(machine, payload), nodeSpec: node?.spec ?? {}, joinToken };
}

/** Throws when it does not exist. */
export function secretIn(engine: Engine, namespace: string, name: string, key: string): Buffer {
  const text = stringAt(engine.get({ apiVersion: 'v1', kind: 'Secret', namespace, name }), 'data', key);
  if (text === undefined) throw new Error(`cannot find Secret "${name}" with a key ${key}`);
  return Buffer.from(text, 'base64');
}

function machineOf(machine: KubeObject, payload: Buffer): Omit<ClaimedMachine, 'nodeSpec' | 'joinToken'> {
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
