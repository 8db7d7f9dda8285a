/**
 * The EC2 instance. Fields that AWS could only change by stopping or replacing it stay as they were created: a machine
 * changes by being replaced, never without its node being drained.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { at, type Json, type JsonObject, type KubeObject, stringAt } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import type { Situation } from './situation.ts';
import { encryptionKey } from '#lib/cloud/encryption-key.ts';
import { machineImage, refuseUnmapped } from '#lib/cloud/machine-asked.ts';
import { instanceTypeOf } from '#lib/cloud/machine-input.ts';
import { KEPT_FIELDS, type KeptField } from '../fields.ts';
import { managed } from './resource.ts';
import { attachmentsOf } from '#lib/cloud/attachments.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { INSTANCE, INSTANCE_KIND, isOverridden } from './instance-name.ts';
import { tagsOf } from './tags.ts';
import { terminationProtection } from './termination-protection.ts';

export interface Instance {
  readonly resource: KubeObject;
  readonly kept: readonly string[];
  readonly unfinished: string | undefined;
}

/** Fields that are set on creation and then kept. */
type CreateOnlyFields = Readonly<Record<KeptField, string | undefined>>;

/**
 * @param userData base64; undefined: not observed on an existing instance
 * @param released whether its type may change now: its node is drained, and the stop is expected
 */
export function instanceOf(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  userData: string | undefined,
  released: boolean,
): Instance {
  const { machine } = situation;
  const observed = situation.observed.get(INSTANCE);
  const existing = at(observed, 'spec', 'forProvider');
  const wanted = createOnlyFieldsOf(situation, infrastructure);
  const made =
    observed === undefined
      ? checked(situation, infrastructure, wanted)
      : { ...kept(existing), ...(released ? present({ instanceType: wanted.instanceType }) : {}) };
  const attachments = attachmentsOf(situation, infrastructure);
  if (attachments === undefined && observed === undefined)
    throw new SlipwayError(
      'BrokenContract',
      `cannot place ${situation.owner}: status.infrastructure of its Cluster is ready but has no security groups for role ${machine.spec.role}`,
    );
  // An existing machine keeps what the status does not report; a VM is looked up in its region, so it never moves.
  const profile = attachments === undefined ? at(existing, 'iamInstanceProfile') : attachments.identity;
  const forProvider: JsonObject = {
    region: at(existing, 'region') ?? infrastructure.region,
    ...made,
    vpcSecurityGroupIds: attachments?.securityGroups ?? at(existing, 'vpcSecurityGroupIds') ?? [],
    ...(profile === undefined ? {} : { iamInstanceProfile: profile }),
    rootBlockDevice: rootDisk(situation, infrastructure, at(existing, 'rootBlockDevice')),
    // Sessions only, so that a request forged through a pod gets no credentials.
    metadataOptions: {
      httpEndpoint: 'enabled',
      httpTokens: 'required',
      httpPutResponseHopLimit: hopLimit(situation, at(existing, 'metadataOptions', 'httpPutResponseHopLimit')),
    },
    ...terminationProtection(situation, existing),
    tags: tagsOf(situation, infrastructure),
  };
  return {
    // Not in forProvider: other user data there would stop and restart the instance.
    resource: managed(
      situation,
      INSTANCE_KIND,
      machine.metadata.name,
      forProvider,
      userData === undefined ? undefined : { userDataBase64: userData },
    ),
    kept:
      observed === undefined
        ? []
        : KEPT_FIELDS.filter((field) => differs(situation, field, wanted[field], made[field])),
    unfinished: released ? unfinished(situation, observed, wanted.instanceType) : undefined,
  };
}

/** The fields of an instance created now. */
function createOnlyFieldsOf(situation: Situation, infrastructure: InfrastructureStatus): CreateOnlyFields {
  const { machine, input } = situation;
  const domain = machine.spec.failureDomain ?? infrastructure.failureDomains[0]?.name;
  return {
    ami: machineImage(situation, infrastructure.region, NATIVE_NAMES),
    instanceType: instanceTypeOf(machine, input),
    subnetId: infrastructure.failureDomains.find(({ name }) => name === domain)?.subnet,
    keyName: input.aws.keyName,
  };
}

/**
 * Throws InvalidClaim if a value of the claim maps to nothing. Only before creation: a value that no longer maps is not
 * a problem of a running machine.
 */
function checked(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  fields: CreateOnlyFields,
): Record<string, string> {
  refuseUnmapped(situation, infrastructure.region, NATIVE_NAMES);
  if (fields.subnetId === undefined) throw unknownDomain(situation, infrastructure);
  return present(fields);
}

function kept(existing: Json | undefined): Record<string, string> {
  return present(Object.fromEntries(KEPT_FIELDS.map((field) => [field, stringAt(existing, field)])));
}

function present(fields: CreateOnlyFields | Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Whether the claim differs from what runs; a field that an override sets is not compared. */
function differs({ machine }: Situation, field: string, wanted: string | undefined, made: string | undefined): boolean {
  if (wanted === undefined || wanted === made) return false;
  return !isOverridden(machine, field);
}

/** The desired type may not be running yet: AWS reports the type of an instance only once it has it. */
function unfinished(
  situation: Situation,
  observed: KubeObject | undefined,
  wanted: string | undefined,
): string | undefined {
  const reported = stringAt(observed, 'status', 'atProvider', 'instanceType');
  if (!differs(situation, 'instanceType', wanted, reported)) return undefined;
  return `instanceType is ${reported ?? 'not known'}, expected ${wanted ?? 'none'}`;
}

function unknownDomain({ machine, owner }: Situation, { failureDomains }: InfrastructureStatus): SlipwayError {
  const known = failureDomains.map(({ name }) => name).toSorted();
  const accepted = known.length === 0 ? 'none yet, since the Cluster has no failure domains' : known.join(', ');
  return refusal(owner, 'spec.failureDomain', machine.spec.failureDomain, accepted);
}

/**
 * Pods with their own network are one hop further away than the host. Controllers of the cloud are such pods, and run on
 * control-plane machines; on a worker, every pod would have the rights of the machine.
 */
function hopLimit({ machine, input }: Situation, asMade: Json | undefined): number {
  if (input.aws.httpPutResponseHopLimit !== undefined) return input.aws.httpPutResponseHopLimit;
  if (typeof asMade === 'number') return asMade;
  return machine.spec.role === 'control-plane' ? 2 : 1;
}

/** Size and type can change in place; encryption and its key cannot. */
function rootDisk(
  { machine, input }: Situation,
  infrastructure: InfrastructureStatus,
  existing: Json | undefined,
): JsonObject {
  const { sizeGiB, type, encrypted } = machine.spec.machine.rootDisk;
  const size = at(existing, 'volumeSize');
  const asMade = at(existing, 'encrypted');
  const wanted = encrypted ? encryptionKey(infrastructure, input.aws.kmsKeyId) : undefined;
  const key = typeof asMade === 'boolean' ? at(existing, 'kmsKeyId') : wanted;
  return {
    volumeSize: typeof size === 'number' ? Math.max(size, sizeGiB) : sizeGiB,
    volumeType: type ?? input.aws.diskType,
    encrypted: typeof asMade === 'boolean' ? asMade : encrypted,
    ...(key === undefined ? {} : { kmsKeyId: key }),
    deleteOnTermination: true,
  };
}
