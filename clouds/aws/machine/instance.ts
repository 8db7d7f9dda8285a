/**
 * The EC2 instance. Fields that AWS could only change by stopping or replacing it stay as they were created: a machine
 * changes by being replaced, never without its node being drained.
 */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { at, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import type { Situation } from './situation.ts';
import { encryptionKey } from '#lib/cloud/encryption-key.ts';
import { failureDomainOf, unknownDomain, unplaceable } from '#lib/cloud/failure-domain.ts';
import { differingFields, keptOrAskedAgain, unfinishedSize } from '#lib/cloud/kept-fields.ts';
import { machineImage, refuseUnmapped } from '#lib/cloud/machine-asked.ts';
import type { MachineProgress } from '#lib/cloud/machine.ts';
import { instanceTypeOf } from '#lib/cloud/machine-input.ts';
import { AWS_FIELDS, KEPT_FIELDS, type KeptField } from '../fields.ts';
import { isIdStored, takingOver } from '#lib/cloud/managed.ts';
import { notFilledIn } from '#lib/cloud/policies.ts';
import { managed } from './resource.ts';
import { askedSpot, spotFields } from '#lib/cloud/spot.ts';
import { attachmentsOf } from '#lib/cloud/attachments.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { CHANGED_BY_OTHERS, dataDisks } from './data-disks.ts';
import { INSTANCE, INSTANCE_KIND, VM } from './instance-name.ts';
import { tagsOf } from './tags.ts';
import { terminationProtection } from './termination-protection.ts';

export interface Instance {
  readonly resource: KubeObject;
  readonly kept: readonly string[];
  readonly unfinished: string | undefined;
}

type Stage = Pick<MachineProgress, 'id' | 'released'>;

/** Fields that are set on creation and then kept. */
type CreateOnlyFields = Readonly<Record<KeptField, string | undefined>> & { readonly instanceType: string };

/**
 * @param userData base64; undefined: not observed on an existing instance
 * @param stage its type may change once it is released: its node is drained, and the stop is expected
 */
export function instanceOf(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  userData: string | undefined,
  stage: Stage,
): Instance {
  const { machine } = situation;
  const { released } = stage;
  const observed = situation.observed.get(INSTANCE);
  const existing = at(observed, 'spec', 'forProvider');
  const wanted = createOnlyFieldsOf(situation, infrastructure);
  const made =
    observed === undefined
      ? checked(situation, infrastructure, wanted)
      : {
          ...keptOrAskedAgain(observed, KEPT_FIELDS, { ami: wanted.ami, instanceType: wanted.instanceType }),
          ...(released ? { instanceType: wanted.instanceType } : {}),
        };
  const attachments = attachmentsOf(situation, infrastructure);
  if (attachments === undefined && observed === undefined)
    throw unplaceable(situation, `security groups for role ${machine.spec.role}`);
  // An existing machine keeps what the status does not report; a VM is looked up in its region, so it never moves.
  const profile = attachments === undefined ? at(existing, 'iamInstanceProfile') : attachments.identity;
  const forProvider: JsonObject = {
    region: at(existing, 'region') ?? infrastructure.region,
    ...made,
    ...spotFields(situation, AWS_FIELDS.spot, existing),
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
  // Not in forProvider: other user data there would stop and restart the instance.
  const resource = managed(situation, INSTANCE_KIND, machine.metadata.name, forProvider, {
    ...(userData === undefined ? {} : { userDataBase64: userData }),
    ...dataDisks(situation, infrastructure, observed, stage),
  });
  return {
    resource: isIdStored(observed) ? notFilledIn(takingOver(resource, CHANGED_BY_OTHERS, observed)) : resource,
    kept:
      observed === undefined
        ? []
        : differingFields(situation, VM, [...fieldsOf(wanted), askedSpot(situation, AWS_FIELDS.spot)], forProvider),
    unfinished: released ? unfinishedSize(situation, VM, observed, 'instanceType', wanted.instanceType) : undefined,
  };
}

/** The fields of an instance created now. */
function createOnlyFieldsOf(situation: Situation, infrastructure: InfrastructureStatus): CreateOnlyFields {
  const { machine, input } = situation;
  return {
    ami: machineImage(situation, infrastructure.region, NATIVE_NAMES),
    instanceType: instanceTypeOf(machine, input),
    subnetId: failureDomainOf(situation, infrastructure)?.subnet,
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
  refuseUnmapped(situation, infrastructure.region, NATIVE_NAMES, {
    field: 'aws.diskType',
    type: situation.input.aws.diskType,
  });
  if (fields.subnetId === undefined) throw unknownDomain(situation, infrastructure);
  return present(fields);
}

function present(fields: CreateOnlyFields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** What the claim asks of fields that stay. */
function fieldsOf(
  wanted: CreateOnlyFields,
): readonly (readonly [path: readonly string[], value: string | undefined])[] {
  return KEPT_FIELDS.map((field) => [[field], wanted[field]]);
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
