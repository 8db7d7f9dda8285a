/**
 * A claim, a small fake cloud and views of replies for the tests of this folder. Desired objects become observed, with
 * ids if the test wants them.
 */
import { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { ENVIRONMENT_CONFIG } from '#lib/cloud/environment-config.ts';
import { claimedSpec } from '#lib/fn/claimed-spec.ts';
import { FACTS } from '#lib/fn/cluster-facts.ts';
import type { ReplyData } from '#lib/fn/reply.ts';
import { orRefusal } from '../../test/support/refusal.ts';
import { aRequest, aWorld, frozen } from '../../test/support/request.ts';
import { run } from './fn.ts';

export function aClaim(spec: JsonObject = {}, status?: JsonObject): KubeObject {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'prod', namespace: 'team-a' },
    spec: {
      crossplane: { compositionSelector: { matchLabels: { 'slipway.dev/flavor': 'aws' } } },
      version: 'v1.35.4',
      region: 'eu-west',
      controlPlane: { replicas: 3, machine: { class: 'standard-2' } },
      ...spec,
    },
    ...(status === undefined ? {} : { status }),
  };
}

export function anInput(fields: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'fn.slipway.dev/v1alpha1',
    kind: 'ClusterInput',
    regions: { 'eu-west': 'eu-west-1' },
    managementCIDRs: ['198.18.0.0/24'],
    ...fields,
  };
}

export interface Call {
  readonly claim?: KubeObject;
  /** null: the step has no input at all. */
  readonly input?: JsonObject | null;
  readonly observed?: Readonly<Record<string, KubeObject>>;
  /** Default: there is no EnvironmentConfig. */
  readonly required?: Readonly<Record<string, readonly KubeObject[]>>;
}

export async function call({
  claim = aClaim(),
  input = anInput(),
  observed = {},
  required = input?.['environmentConfig'] === undefined ? {} : { [ENVIRONMENT_CONFIG]: [] },
}: Call = {}): Promise<ReplyData> {
  const request = frozen(aRequest({ composite: claim, observed, required, ...(input === null ? {} : { input }) }));
  return orRefusal((await run(request, aWorld())).build());
}

/** What is observed if the claim was accepted before. */
export function acceptedAs(
  { spec }: KubeObject,
  observed: Readonly<Record<string, KubeObject>>,
): Readonly<Record<string, KubeObject>> {
  const facts = observed[FACTS];
  if (facts === undefined) throw new Error('there are no facts');
  return { ...observed, [FACTS]: { ...facts, spec: { ...facts.spec, accepted: claimedSpec(spec) } } };
}

/** The status and conditions of a reply as the next call observes them. */
export function withReply(claim: KubeObject, reply: ReplyData): KubeObject {
  return { ...claim, status: { ...reply.status, conditions: reply.conditions.map((condition) => ({ ...condition })) } };
}

const READY = [
  { type: 'Ready', status: 'True', reason: 'Available' },
  { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' },
];

/** A desired managed resource after the cloud created it. */
export function live(desired: KubeObject): KubeObject {
  const name = desired.metadata?.name ?? '';
  const arn = `arn:aws:test:eu-west-1:123456789012:${desired.kind}/${name}`;
  const outputs: Readonly<Record<string, JsonObject>> = {
    LB: { arn, dnsName: `${name}.elb.eu-west-1.amazonaws.com` },
    LBTargetGroup: { arn },
    EIP: { publicIp: '192.0.2.1' },
    NATGateway: { publicIp: `192.0.2.${10 + (name.codePointAt(name.length - 1) ?? 0) - 97}` },
  };
  return {
    ...desired,
    status: {
      atProvider: { id: `${desired.kind.toLowerCase()}-${name}`, ...outputs[desired.kind] },
      conditions: READY,
    },
  };
}

/** Desired objects as observed: created by the cloud where `made` says so, otherwise not yet. */
export function observe(
  reply: ReplyData,
  made: (object: KubeObject, key: string) => boolean = () => true,
): Record<string, KubeObject> {
  return Object.fromEntries(
    [...reply.resources].map(([key, { resource }]) => [key, made(resource, key) ? live(resource) : resource]),
  );
}

export const infrastructure = ({ status }: ReplyData) => InfrastructureStatus.parse(status['infrastructure']);
export const condition = ({ conditions }: ReplyData, type: string) => conditions.find((item) => item.type === type);
export const keys = ({ resources }: ReplyData) => [...resources.keys()];
/** All but the facts, which repeat the claim. */
export const objects = ({ resources }: ReplyData) =>
  [...resources.values()].map(({ resource }) => resource).filter(({ kind }) => kind !== 'ClusterFacts');

export const byKind = (...kinds: string[]) => {
  const wanted = new Set(kinds);
  return ({ kind }: KubeObject) => wanted.has(kind);
};
export const isManaged = ({ apiVersion }: KubeObject) => apiVersion.includes('.aws.');

/** Repeats the call with all desired objects created, until the reply does not change. */
export async function settled(claim: KubeObject, input = anInput()): Promise<{ claim: KubeObject; reply: ReplyData }> {
  const first = await call({ claim, input });
  const second = await call({ claim: withReply(claim, first), input, observed: observe(first, isManaged) });
  const third = await call({ claim: withReply(claim, second), input, observed: observe(second, isManaged) });
  // The pool that refuses its deletion exists by now.
  const fourth = await call({ claim: withReply(claim, third), input, observed: observe(third) });
  return { claim: withReply(claim, fourth), reply: fourth };
}

export function controlPlane(fields: JsonObject): JsonObject {
  return { controlPlane: { replicas: 3, machine: { class: 'standard-2' }, ...fields } };
}

export function existing(fields: JsonObject = {}): JsonObject {
  return {
    infrastructure: {
      existing: {
        network: { id: 'vpc-1' },
        subnets: [
          { id: 'subnet-b', zone: 'eu-west-1b' },
          { id: 'subnet-a', zone: 'eu-west-1a' },
          { id: 'subnet-p', zone: 'eu-west-1a', public: true },
        ],
        ...fields,
      },
    },
  };
}
