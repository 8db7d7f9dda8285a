/**
 * The virtual machine. Fields that Azure could only change by stopping or replacing it stay as they were created: a
 * machine changes by being replaced, never without its node being drained.
 */
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { at, type Json, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { attachmentsOf } from '#lib/cloud/attachments.ts';
import { encryptionKey } from '#lib/cloud/encryption-key.ts';
import { unknownDomain, unplaceable } from '#lib/cloud/failure-domain.ts';
import { differingFields, keptOrAskedAgain, unfinishedSize } from '#lib/cloud/kept-fields.ts';
import { refuseUnmapped } from '#lib/cloud/machine-asked.ts';
import { notFilledIn } from '#lib/cloud/policies.ts';
import { askedSpot, spotFields } from '#lib/cloud/spot.ts';
import { type WantedMachine, wantedMachine } from '#lib/cloud/wanted-machine.ts';
import { AZURE_FIELDS } from '../fields.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { machineName } from '../names.ts';
import { zoneNumber } from '../zones.ts';
import { customDataRef } from './custom-data.ts';
import { groupOf } from './group.ts';
import { imageFields } from './image.ts';
import { leftOff } from './left-off.ts';
import { INSTANCE, nameOf, VM } from './name.ts';
import { interfaceRef } from './network-interface.ts';
import { managed } from './resource.ts';
import type { Situation } from './situation.ts';
import { machineTags } from './tags.ts';

export interface Vm {
  readonly resource: KubeObject;
  readonly kept: readonly string[];
  readonly unfinished: string | undefined;
  readonly failed: string | undefined;
  /** The id of the subnet of a new machine. */
  readonly subnet: string | undefined;
}

/** @param released whether its size may change now: its node is drained, and the stop is expected */
export function vmOf(situation: Situation, infrastructure: InfrastructureStatus, released: boolean): Vm {
  const { machine } = situation;
  const observed = situation.observed.get(INSTANCE);
  const existing = at(observed, 'spec', 'forProvider');
  const wanted = wantedMachine(situation, infrastructure, NATIVE_NAMES, situation.input.azure.diskType);
  const asked = [...fieldsOf(wanted), askedSpot(situation, AZURE_FIELDS.spot)];
  const made =
    observed === undefined
      ? created(situation, infrastructure, wanted)
      : {
          ...keptOrAskedAgain(observed, KEPT, catalogFields(wanted)),
          ...(released ? { size: wanted.instanceType } : {}),
        };
  const forProvider: JsonObject = {
    ...made,
    ...spotFields(situation, AZURE_FIELDS.spot, existing),
    tags: machineTags(situation, infrastructure),
  };
  return {
    // The provider would fill in the disk that Azure made, and start a lost machine again from what that disk was.
    resource: notFilledIn(
      managed(situation, 'LinuxVirtualMachine', {
        name: machine.metadata.name,
        externalName: nameOf(situation, infrastructure),
        forProvider,
      }),
    ),
    kept: observed === undefined ? [] : differingFields(situation, VM, asked, forProvider),
    unfinished: released ? unfinishedSize(situation, VM, observed, 'size', wanted.instanceType) : undefined,
    failed: released ? leftOff(observed) : undefined,
    subnet: wanted.subnet,
  };
}

/** Throws InvalidClaim if a value of the claim maps to nothing. Only before creation. */
function created(situation: Situation, infrastructure: InfrastructureStatus, wanted: WantedMachine): JsonObject {
  const { machine, input } = situation;
  const { zone, subnet, instanceType, image, diskSize, diskType } = wanted;
  const { id, region } = infrastructure;
  const identity = attachmentsOf(situation, infrastructure)?.identity;
  if (identity === undefined || id === undefined)
    throw unplaceable(situation, id === undefined ? 'id' : `identity for role ${machine.spec.role}`);
  refuseUnmapped(situation, region, NATIVE_NAMES, { field: 'azure.diskType', type: input.azure.diskType });
  if (zone === undefined || subnet === undefined) throw unknownDomain(situation, infrastructure);
  const { adminUsername, adminPublicKey, encryptionAtHost } = input.azure;
  const key = encryptionKey(infrastructure, input.azure.diskEncryptionSetId);
  return {
    location: region,
    resourceGroupName: groupOf(infrastructure),
    zone: zoneNumber(zone),
    size: instanceType,
    ...imageFields(image),
    osDisk: {
      caching: 'ReadWrite',
      diskSizeGb: diskSize,
      storageAccountType: diskType,
      ...(key === undefined ? {} : { diskEncryptionSetId: key }),
    },
    encryptionAtHostEnabled: encryptionAtHost && machine.spec.machine.rootDisk.encrypted,
    computerName: machineName(machine.metadata.name),
    adminUsername,
    adminSshKey: [{ username: adminUsername, publicKey: adminPublicKey }],
    disablePasswordAuthentication: true,
    networkInterfaceIdsRefs: [interfaceRef(situation)],
    identity: { type: 'UserAssigned', identityIds: [identity] },
    customDataSecretRef: customDataRef(situation),
  };
}

/** Fields of forProvider that stay as they were created. */
const KEPT = [
  'location',
  'resourceGroupName',
  'zone',
  'size',
  'sourceImageId',
  'sourceImageReference',
  'osDisk',
  'encryptionAtHostEnabled',
  'computerName',
  'adminUsername',
  'adminSshKey',
  'disablePasswordAuthentication',
  'networkInterfaceIds',
  'networkInterfaceIdsRefs',
  'identity',
  'customDataSecretRef',
] as const;

/** An image has an id or a reference, never both. */
function catalogFields({ instanceType, image }: WantedMachine): JsonObject {
  const fields = image === undefined ? {} : { sourceImageId: null, sourceImageReference: null, ...imageFields(image) };
  return { size: instanceType, ...fields };
}

/** What the claim asks of fields that stay. */
function fieldsOf(wanted: WantedMachine): readonly (readonly [path: readonly string[], value: Json | undefined])[] {
  return [
    [['zone'], wanted.zone === undefined ? undefined : zoneNumber(wanted.zone)],
    [['size'], wanted.instanceType],
    ...Object.entries(wanted.image === undefined ? {} : imageFields(wanted.image)).map(
      ([field, value]) => [[field], value] as const,
    ),
    [['osDisk', 'diskSizeGb'], wanted.diskSize],
    [['osDisk', 'storageAccountType'], wanted.diskType],
  ];
}
