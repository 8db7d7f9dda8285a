/**
 * The EC2 instance. What AWS could change only by stopping or replacing it stays as it was made: a machine
 * becomes another one by being replaced, never behind its node's back.
 */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { at, type Json, type JsonObject, type KubeObject, sameJson } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import { LABEL } from '#lib/api/words.ts';
import type { FirstBoot } from '../payload.ts';
import type { Situation } from '../situation.ts';
import { imageOf } from './image.ts';
import { userData } from './user-data.ts';

export interface Instance {
  readonly resource: KubeObject;
  readonly bytes: number;
  readonly kept: readonly string[];
}

const MADE_WITH = ['ami', 'instanceType', 'subnetId', 'keyName'] as const;

export function instanceOf(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  boot: FirstBoot,
  observed: KubeObject | undefined,
): Instance {
  const { machine, input, owner } = situation;
  const existing = at(observed, 'spec', 'forProvider');
  const wanted =
    observed === undefined ? birth(situation, infrastructure) : reborn(situation, infrastructure, existing);
  const made = Object.fromEntries(
    MADE_WITH.map((field) => [field, existing === undefined ? wanted[field] : at(existing, field)]),
  );
  const data = observed === undefined ? userData(boot, owner) : undefined;
  const given = at(observed, 'spec', 'initProvider', 'userDataBase64');
  const base64 = data?.base64 ?? (typeof given === 'string' ? given : '');
  const surroundings = machine.spec.role === 'control-plane' ? infrastructure.controlPlane : infrastructure.worker;
  const forProvider = {
    region: infrastructure.region,
    ...made,
    vpcSecurityGroupIds: surroundings?.securityGroups ?? [],
    ...(surroundings?.identity === undefined ? {} : { iamInstanceProfile: surroundings.identity }),
    rootBlockDevice: rootDisk(situation, at(existing, 'rootBlockDevice')),
    metadataOptions: {
      httpEndpoint: 'enabled',
      httpTokens: 'required',
      httpPutResponseHopLimit: input.aws.httpPutResponseHopLimit,
    },
    tags: tagsOf(situation, infrastructure),
  };
  return {
    resource: {
      apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
      kind: 'Instance',
      metadata: { name: machine.metadata.name, namespace: machine.metadata.namespace, labels: labelsOf(situation) },
      // Only in initProvider a change of user data is no change of the instance: elsewhere it would stop it.
      spec: {
        forProvider,
        initProvider: { userDataBase64: base64 },
        providerConfigRef: input.providerConfigRef,
      },
    },
    bytes: Buffer.from(base64, 'base64').length,
    kept: MADE_WITH.filter((field) => wanted[field] !== undefined && !sameJson(wanted[field], made[field] ?? null)),
  };
}

/** What a new instance is made with. */
function birth(
  situation: Situation,
  infrastructure: InfrastructureStatus,
): Record<(typeof MADE_WITH)[number], Json | undefined> {
  const { machine, input, owner } = situation;
  const { class: size, instanceType } = machine.spec.machine;
  const domain = machine.spec.failureDomain ?? infrastructure.failureDomains[0]?.name;
  const subnet = infrastructure.failureDomains.find(({ name }) => name === domain)?.subnet;
  if (subnet === undefined) {
    const known = infrastructure.failureDomains.map(({ name }) => name).toSorted();
    throw refusal(
      owner,
      'spec.failureDomain',
      domain ?? null,
      known.length === 0 ? 'none yet: the Cluster has no subnets' : known.join(', '),
    );
  }
  return {
    ami: imageOf(situation, infrastructure.region),
    instanceType: instanceType ?? input.classes[size ?? ''] ?? size,
    subnetId: subnet,
    keyName: input.aws.keyName,
  };
}

/** What it would be made with today; a word that no longer maps is no reason to fail a machine that runs. */
function reborn(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  existing: Json | undefined,
): Record<(typeof MADE_WITH)[number], Json | undefined> {
  try {
    return birth(situation, infrastructure);
  } catch {
    return Object.fromEntries(MADE_WITH.map((field) => [field, at(existing, field)])) as Record<
      (typeof MADE_WITH)[number],
      Json | undefined
    >;
  }
}

/** It may grow and change its type in place; whether it is encrypted it keeps. */
function rootDisk({ machine, input }: Situation, existing: Json | undefined): JsonObject {
  const { sizeGiB, type, encrypted } = machine.spec.machine.rootDisk;
  const size = at(existing, 'volumeSize');
  return {
    volumeSize: typeof size === 'number' ? Math.max(size, sizeGiB) : sizeGiB,
    volumeType: type ?? input.aws.diskType,
    encrypted: at(existing, 'encrypted') ?? encrypted,
    deleteOnTermination: true,
  };
}

function tagsOf({ machine }: Situation, infrastructure: InfrastructureStatus): Record<string, string> {
  const { name, namespace } = machine.metadata;
  const role = machine.spec.role === 'control-plane' ? 'control-plane' : 'node';
  return {
    ...infrastructure.tags,
    Name: name,
    MachineName: `${namespace}/${name}`,
    'sigs.k8s.io/cluster-api-provider-aws/role': role,
  };
}

/** Labels of everything a Machine composes. */
export function labelsOf({ machine }: Situation): Record<string, string> {
  const { clusterRef, nodePoolRef, role } = machine.spec;
  return {
    [LABEL.clusterName]: clusterRef.name,
    [LABEL.cluster]: clusterRef.name,
    [LABEL.role]: role,
    ...(nodePoolRef === undefined ? {} : { [LABEL.nodePool]: nodePoolRef.name }),
  };
}
