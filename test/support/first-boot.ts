/**
 * A cluster after its bootstrap step, and the first-boot data of its machines, rendered by the functions themselves.
 */
import { parse } from 'yaml';
import { isJsonObject, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import type { ScriptedPlan } from '#lib/api/contracts/bootstrap-plan.ts';
import type { Payload } from '#lib/api/contracts/payload.ts';
import { CONTEXT } from '#lib/api/words.ts';
import { BOOTSTRAP_TOKEN } from '../../functions/bootstrap/pki/token.ts';
import { run as bootstrap } from '../../functions/bootstrap/fn.ts';
import { run as provisioning } from '../../functions/provisioning/fn.ts';
import { aCluster, aMachine, INFRASTRUCTURE } from './claims.ts';
import { aRequest, aWorld } from './request.ts';

export const ENDPOINT = { host: 'api.example.com', port: 6443 };
/** The Secrets of a kubeadm cluster. */
export const ONCE_MADE = ['ca', 'etcd-ca', 'proxy-ca', 'sa', 'encryption'] as const;

export interface Bootstrapped {
  /** Initialized by default. */
  readonly cluster: KubeObject;
  /** By composition resource name, which is also the requirement name of a machine. */
  readonly secrets: Readonly<Record<string, KubeObject>>;
}

export async function aBootstrappedCluster(
  parts: {
    readonly spec?: JsonObject;
    readonly initialized?: boolean;
    readonly infrastructure?: JsonObject;
    /** Supplied Secrets, by requirement name. */
    readonly supplied?: Readonly<Record<string, KubeObject>>;
  } = {},
): Promise<Bootstrapped> {
  const spec = parts.spec ?? {};
  const claim = aRequest({ composite: aCluster({ spec, status: {} }), input: INPUT });
  // Secrets that are created after the bootstrapper first requested them.
  const keys = [...(await bootstrap(claim, aWorld())).build().requirements.keys()];
  const supplied = parts.supplied ?? {};
  const theirs = Object.fromEntries(Object.entries(supplied).map(([key, secret]) => [key, [secret]]));
  const required = { ...Object.fromEntries(keys.map((key) => [key, []])), ...theirs };
  const made = (await bootstrap({ ...claim, required: new Map(Object.entries(required)) }, aWorld())).build();
  const ours = Object.fromEntries(
    keys.flatMap((key) => (key in supplied ? [] : [[key, made.resources.get(key)!.resource] as const])),
  );
  const secrets = Object.fromEntries(keys.map((key) => [key, supplied[key] ?? ours[key]!] as const));
  const stored = await bootstrap(
    aRequest({ composite: aCluster({ spec, status: {} }), observed: ours, required: theirs, input: INPUT }),
    aWorld(),
  );
  const status = {
    ...stored.build().status,
    infrastructure: parts.infrastructure ?? INFRASTRUCTURE,
    controlPlaneEndpoint: ENDPOINT,
    controlPlane: { initialized: parts.initialized ?? true },
  };
  return { cluster: aCluster({ spec, status }), secrets };
}

const INPUT = { apiVersion: 'fn.slipway.dev/v1alpha1', kind: 'BootstrapInput' };

/** As k8sd prints one for a machine, supplied by a user: base64 of the data to join, with a fake secret. */
export const JOIN_TOKEN = Buffer.from(
  JSON.stringify({ name: 'fake', secret: 'fa4e'.repeat(16), join_addresses: ['10.0.0.5:6400'] }),
).toString('base64');

/** The token that a machine of kubeadm or k0s gets in the world of these tests. */
export const MACHINE_TOKEN = BOOTSTRAP_TOKEN.make(aWorld());

/** The Secret with what k8sd made. */
const ASKED: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  data: { token: Buffer.from(JOIN_TOKEN).toString('base64') },
};

/** The request for the bootstrap step of a Machine once everything it needs exists. */
export function machineRequest({ cluster, secrets }: Bootstrapped, machine: KubeObject) {
  const required = {
    cluster: [cluster],
    'join-token': [ASKED],
    ...Object.fromEntries(Object.entries(secrets).map(([k, v]) => [k, [v]])),
  };
  return aRequest({ composite: machine, required });
}

export interface FirstBoot {
  /** As created by a bootstrapper for hosts that run commands. */
  readonly plan: ScriptedPlan;
  /** The type in the payload: cloud-config. */
  readonly format: string;
  /** The payload as text. */
  readonly text: string;
  /** The same in two parts, if its format has them. */
  readonly apart: Payload['apart'];
}

export async function firstBoot(bootstrapped: Bootstrapped, machine: KubeObject): Promise<FirstBoot> {
  const planned = (await bootstrap(machineRequest(bootstrapped, machine), aWorld())).build();
  const plan = planned.context[CONTEXT.bootstrapPlan];
  if (!isJsonObject(plan)) throw new Error(`no plan: ${JSON.stringify(planned.conditions)}`);
  const rendered = await provisioning(aRequest({ composite: machine, context: planned.context }), aWorld());
  const payload = rendered.build().context[CONTEXT.payload] as Payload | undefined;
  return {
    plan: plan as unknown as ScriptedPlan,
    format: payload?.format ?? '',
    text: Buffer.from(payload?.value ?? '', 'base64').toString(),
    apart: payload?.apart,
  };
}

/** The three kinds of machines in a cluster. */
export const MACHINES: Readonly<Record<'init' | 'control-plane' | 'worker', JsonObject>> = {
  init: { role: 'control-plane', bootstrap: { provider: 'kubeadm', action: 'Init' } },
  'control-plane': { role: 'control-plane', bootstrap: { provider: 'kubeadm', action: 'Join' } },
  worker: { role: 'worker', bootstrap: { provider: 'kubeadm', action: 'Join' } },
};

/** A Machine of one of the three kinds with the configuration that a pool of that Cluster copies into it. */
export function machineOf(
  kind: keyof typeof MACHINES,
  spec: JsonObject = {},
  config: JsonObject = {},
  provider = 'kubeadm',
): KubeObject {
  const frozen = MACHINES[kind];
  const { bootstrap: how, ...rest } = frozen;
  return aMachine({
    name: `prod-${kind}-0-aaaaa`,
    spec: { ...rest, ...spec, bootstrap: { ...(how as JsonObject), provider, config } },
  });
}

export interface CloudFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly owner: string;
  readonly permissions: string;
  readonly append: boolean;
  readonly defer: boolean;
}

/** The files of a #cloud-config, decoded as cloud-init does. */
export function filesOf(text: string): readonly CloudFile[] {
  const { write_files: files } = parse(text) as { write_files: readonly JsonObject[] };
  return files.map((file) => ({
    path: stringAt(file, 'path') ?? '',
    bytes: Buffer.from(stringAt(file, 'content') ?? '', file['encoding'] === 'b64' ? 'base64' : 'utf8'),
    owner: stringAt(file, 'owner') ?? 'root:root',
    permissions: stringAt(file, 'permissions') ?? '0644',
    append: file['append'] === true,
    defer: file['defer'] === true,
  }));
}

export function fileOf(text: string, path: string): string {
  const found = filesOf(text).find((file) => file.path === path);
  if (found === undefined) throw new Error(`${path} is not among the files`);
  return found.bytes.toString();
}
