/**
 * A Machine, its Cluster and a small fake cloud for the tests of this folder. A situation is built from existing
 * objects; desired objects become observed in one step.
 */
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { ENVIRONMENT_CONFIG } from '#lib/cloud/environment-config.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import type { Request } from '#lib/fn/request.ts';
import { conditions, withStatus } from '../../test/support/claims.ts';
import { aRequest, aWorld, frozen } from '../../test/support/request.ts';
import { run } from './fn.ts';

export const NAME = 'prod-general-0-x7k2p';
export const ID = 'i-0123456789abcdef0';
export const ARN = `arn:aws:ec2:eu-west-1:123456789012:instance/${ID}`;

export function aMachine(spec: JsonObject = {}, status?: JsonObject): KubeObject {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Machine',
    metadata: { name: NAME, namespace: 'team-a', labels: { 'slipway.dev/cluster': 'prod' } },
    spec: {
      clusterRef: { name: 'prod' },
      nodePoolRef: { name: 'prod-general' },
      role: 'worker',
      version: 'v1.35.4',
      failureDomain: 'eu-west-1b',
      machine: { class: 'standard-4' },
      labels: { workload: 'any' },
      taints: [{ key: 'dedicated', value: 'any', effect: 'NoSchedule' }],
      bootstrap: { provider: 'kubeadm', action: 'Join', config: {} },
      ...spec,
    },
    ...(status === undefined ? {} : { status }),
  };
}

export const CONTROL_PLANE: JsonObject = { role: 'control-plane', nodePoolRef: { name: 'prod-control-plane' } };

export const TARGET = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/prod-tg-api/1';

export function anInfrastructure(fields: JsonObject = {}): JsonObject {
  return {
    contract: 1,
    cloud: 'aws',
    region: 'eu-west-1',
    ready: true,
    network: { id: 'vpc-1', cidr: '10.0.0.0/16' },
    failureDomains: [
      { name: 'eu-west-1a', subnet: 'subnet-a' },
      { name: 'eu-west-1b', subnet: 'subnet-b' },
    ],
    controlPlane: {
      identity: 'prod-control-plane',
      securityGroups: ['sg-node', 'sg-lb', 'sg-controlplane'],
      loadBalancerTargets: [{ id: TARGET, port: 6443 }],
      firstBootSecrets: 'slipway/team-a/prod/control-plane/',
    },
    worker: {
      identity: 'prod-node',
      securityGroups: ['sg-node', 'sg-lb'],
      firstBootSecrets: 'slipway/team-a/prod/node/',
    },
    providerIDFormat: 'aws:///${failureDomain}/${instanceId}',
    tags: { 'kubernetes.io/cluster/prod': 'owned' },
    ...fields,
  };
}

export function aCluster(infrastructure: JsonObject | undefined = anInfrastructure()): KubeObject {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'prod', namespace: 'team-a' },
    spec: {},
    ...(infrastructure === undefined ? {} : { status: { infrastructure } }),
  };
}

/** The output of the provisioning step. */
export function aPayload(text = '#cloud-config\nhostname: x\n', fields: JsonObject = {}): JsonObject {
  return {
    'slipway.dev/payload': {
      contract: 1,
      format: 'cloud-config',
      contentType: 'text/cloud-config',
      value: Buffer.from(text).toString('base64'),
      gzip: true,
      ...fields,
    },
  };
}

export function anInput(fields: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'fn.slipway.dev/v1alpha1',
    kind: 'MachineInput',
    classes: { 'standard-4': 'm6i.xlarge' },
    images: {
      'ubuntu-24.04/v1.35.4': { 'eu-west-1': 'ami-0aaaaaaaaaaaaaaa1' },
      'ubuntu-24.04': { 'eu-west-1': 'ami-0aaaaaaaaaaaaaaa2', 'us-east-1': 'ami-0aaaaaaaaaaaaaaa3' },
    },
    defaultImage: 'ubuntu-24.04',
    aws: { userData: 'Plain' },
    ...fields,
  };
}

/** A platform with default settings: first-boot data is handed over as a secret. */
export const HANDED_OVER = anInput({ aws: {} });
/** A platform that lets claims override everything in the cloud. */
export const ANY_OVERRIDE = { overrides: { '*': ['spec.forProvider'] } };

export interface Parts {
  readonly machine?: KubeObject;
  /** null: the Cluster was not requested yet; undefined in a list: there is no Cluster. */
  readonly clusters?: readonly KubeObject[] | null;
  readonly context?: JsonObject;
  /** null: the step has no input at all. */
  readonly input?: JsonObject | null;
  readonly observed?: Readonly<Record<string, KubeObject>>;
}

export function situation({
  machine = aMachine(),
  clusters = [aCluster()],
  context = aPayload(),
  input = anInput(),
  observed = {},
}: Parts = {}): Request {
  return aRequest({
    composite: machine,
    context,
    observed,
    ...(input === null ? {} : { input }),
    ...(clusters === null ? {} : { required: { cluster: clusters, ...answered(input) } }),
  });
}

/** There is no EnvironmentConfig. */
function answered(input: JsonObject | null): Readonly<Record<string, readonly KubeObject[]>> {
  return input?.['environmentConfig'] === undefined ? {} : { [ENVIRONMENT_CONFIG]: [] };
}

/** One call; its request is frozen, so that a function that writes into it fails. */
export async function answer(request: Request): Promise<ReplyData> {
  return (await run(frozen(request), aWorld())).build();
}

export const call = (parts: Parts = {}): Promise<ReplyData> => answer(situation(parts));

/** What the cloud and provider-node have done so far. */
export interface World {
  /** Kinds that are Ready and Synced. */
  readonly ready?: readonly string[];
  /** Fields of the Instance's status.atProvider. */
  readonly instance?: JsonObject;
  readonly node?: JsonObject;
  /** The Synced condition of the Instance, when the provider reports an error. */
  readonly refused?: string;
}

export const RUNNING: JsonObject = {
  id: ID,
  arn: ARN,
  instanceState: 'running',
  availabilityZone: 'eu-west-1b',
  privateIp: '10.0.64.7',
  privateDns: 'ip-10-0-64-7.eu-west-1.compute.internal',
  publicIp: '',
};

const NODE_STATUS: JsonObject = { nodeRef: { name: NAME, uid: 'u1' }, nodeInfo: { kubeletVersion: 'v1.35.4' } };

const SECRETS = ['Secret', 'SecretVersion'];

export const WORLD = {
  untouched: {},
  handedOver: { ready: SECRETS },
  created: { ready: SECRETS, instance: { id: ID, arn: ARN } },
  running: { ready: [...SECRETS, 'Instance'], instance: RUNNING },
  registered: {
    ready: [...SECRETS, 'Instance', 'LBTargetGroupAttachment', 'Usage'],
    instance: RUNNING,
    node: NODE_STATUS,
  },
  joined: {
    ready: [...SECRETS, 'Instance', 'LBTargetGroupAttachment', 'Usage', 'WorkloadNode'],
    instance: RUNNING,
    node: NODE_STATUS,
  },
} satisfies Record<string, World>;

/** A desired object as this world observes it. */
export function seenIn(world: World): (desired: KubeObject) => KubeObject {
  return (desired) => {
    if (desired.apiVersion === 'v1') return desired;
    const isReady = world.ready?.includes(desired.kind) === true;
    const synced =
      desired.kind === 'Instance' && world.refused !== undefined
        ? { type: 'Synced', status: 'False', reason: 'ReconcileError', message: world.refused }
        : { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' };
    const conditions = [
      synced,
      { type: 'Ready', status: isReady ? 'True' : 'False', reason: isReady ? 'Available' : 'Creating' },
    ];
    const facts =
      desired.kind === 'Instance' && world.instance !== undefined
        ? { atProvider: world.instance }
        : desired.kind === 'WorkloadNode'
          ? world.node
          : undefined;
    return { ...desired, status: { ...facts, conditions } };
  };
}

/** The next request: desired objects exist as this world observes them, and the status is the last one. */
export function after(request: Request, reply: ReplyData, world: World): Request {
  const { composite } = request.observed;
  const status: JsonObject = { ...reply.status, conditions: reply.conditions.map((condition) => ({ ...condition })) };
  const seen = seenIn(world);
  const resources = [...reply.resources].map(
    ([key, { resource }]) => [key, { resource: seen(resource), connectionDetails: {} }] as const,
  );
  return { ...request, observed: { composite: { ...composite, status }, resources: new Map(resources) } };
}

/** Goes through worlds one after the other, each fully observed; returns all replies. */
export async function play(
  parts: Parts,
  ...worlds: readonly World[]
): Promise<{ readonly replies: readonly ReplyData[]; readonly last: Request }> {
  let last = situation(parts);
  let reply = await answer(last);
  const replies = [reply];
  for (const world of worlds) {
    last = after(last, reply, world);
    reply = await answer(last);
    replies.push(reply);
  }
  return { replies, last };
}

/** A request after the machine went through its whole life up to this world. */
export async function lived(world: World, parts: Parts = {}): Promise<Request> {
  const { last } = await play(parts, WORLD.untouched, WORLD.handedOver, WORLD.created, WORLD.running, world, world);
  return last;
}

export const keys = ({ resources }: ReplyData): string[] => [...resources.keys()];
export const readyKeys = ({ resources }: ReplyData): string[] =>
  [...resources].filter(([, { ready }]) => ready === 'True').map(([key]) => key);
export const objects = ({ resources }: ReplyData): KubeObject[] =>
  [...resources.values()].map(({ resource }) => resource);
export const condition = ({ conditions }: ReplyData, type: string) => conditions.find((item) => item.type === type);

/** Text that gzip cannot compress: digests of a counter. */
export function noise(length: number): string {
  let state = 1;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647);
  return Array.from({ length }, () => String.fromCodePoint(33 + (next() % 90))).join('');
}

/**
 * The virtual machine, once its data disks exist.
 * @param reply  of the machine step, when it observes these @param observed  the virtual machine as it is
 */
export async function instanceIn(
  reply: (observed: Readonly<Record<string, KubeObject>>) => Promise<ReplyData>,
  observed?: KubeObject,
): Promise<KubeObject> {
  const first = await reply(observed === undefined ? {} : { instance: observed });
  const disks = [...first.resources].filter(([key]) => key.startsWith('disk-'));
  const ready = disks.map(([key, { resource }]) => [key, withStatus(resource, conditions(true))] as const);
  const { resources } = observed !== undefined || ready.length === 0 ? first : await reply(Object.fromEntries(ready));
  const made = resources.get('instance')?.resource;
  if (made === undefined) throw new Error('the machine step made no instance');
  return made;
}
