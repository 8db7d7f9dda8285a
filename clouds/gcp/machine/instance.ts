/**
 * The virtual machine. Fields that GCP could only change by stopping or replacing it stay as they were created: a
 * machine changes by being replaced, never without its node being drained.
 */
import type { InfrastructureStatus, MachineAttachments } from '#lib/api/contracts/infrastructure-status.ts';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { encryptionKey } from '#lib/cloud/encryption-key.ts';
import { unknownDomain, unplaceable } from '#lib/cloud/failure-domain.ts';
import { differingFields, keptOrAskedAgain, unfinishedSize } from '#lib/cloud/kept-fields.ts';
import type { MachineProgress } from '#lib/cloud/machine.ts';
import { refuseUnmapped } from '#lib/cloud/machine-asked.ts';
import { askedSpot, spotFields } from '#lib/cloud/spot.ts';
import { attachmentsOf } from '#lib/cloud/attachments.ts';
import { type WantedMachine, wantedMachine } from '#lib/cloud/wanted-machine.ts';
import { GCP_FIELDS } from '../fields.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { takingOver } from '#lib/cloud/managed.ts';
import { notFilledIn } from '#lib/cloud/policies.ts';
import { attachedDisks, LIST } from './data-disks.ts';
import { machineLabels } from './labels.ts';
import { INSTANCE, nameOf, VM } from './name.ts';
import { managed } from './resource.ts';
import type { Situation } from './situation.ts';

export interface Instance {
  readonly resource: KubeObject;
  readonly kept: readonly string[];
  readonly unfinished: string | undefined;
}

/**
 * @param metadata undefined: not observed on an existing machine
 * @param stage its type may change once it is released: its node is drained, and the stop is expected
 */
export function instanceOf(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  metadata: JsonObject | undefined,
  stage: Pick<MachineProgress, 'id' | 'released'>,
): Instance {
  const { machine } = situation;
  const { released } = stage;
  const observed = situation.observed.get(INSTANCE);
  const attachments = attachmentsOf(situation, infrastructure);
  const wanted = wantedMachine(situation, infrastructure, NATIVE_NAMES, situation.input.gcp.diskType);
  const existing = at(observed, 'spec', 'forProvider');
  const asked = [...fieldsOf(wanted), askedSpot(situation, GCP_FIELDS.spot)];
  const made =
    observed === undefined
      ? created(situation, infrastructure, wanted, attachments)
      : {
          ...keptOrAskedAgain(observed, KEPT, catalogFields(wanted)),
          ...(released ? { machineType: wanted.instanceType } : {}),
        };
  const forProvider: JsonObject = {
    ...made,
    ...spotFields(situation, GCP_FIELDS.spot, existing),
    // Otherwise GCP refuses every change that would stop it.
    allowStoppingForUpdate: released,
    // Otherwise its provider leaves a machine off whose new size has no room when it is started.
    desiredStatus: 'RUNNING',
    tags: attachments?.securityGroups ?? at(existing, 'tags') ?? [],
    labels: machineLabels(situation, infrastructure),
  };
  const resource = managed(situation, 'Instance', {
    name: machine.metadata.name,
    externalName: nameOf(situation, infrastructure),
    forProvider,
    // Not in forProvider: it is read on the first boot only.
    initProvider: {
      ...(metadata === undefined ? {} : { metadata }),
      ...attachedDisks(situation, infrastructure, observed, stage),
    },
  });
  return {
    // Its id is its name, so that late initialisation is never needed to store it.
    resource: notFilledIn(stage.id === undefined ? resource : takingOver(resource, [LIST], observed)),
    kept: observed === undefined ? [] : differingFields(situation, VM, asked, forProvider),
    unfinished: released ? unfinishedSize(situation, VM, observed, 'machineType', wanted.instanceType) : undefined,
  };
}

/** Throws InvalidClaim if a value of the claim maps to nothing. Only before creation. */
function created(
  situation: Situation,
  infrastructure: InfrastructureStatus,
  { zone, subnet, instanceType, image, diskSize: size, diskType: type }: WantedMachine,
  attachments: MachineAttachments | undefined,
): JsonObject {
  const { machine, input } = situation;
  if (attachments?.identity === undefined) throw unplaceable(situation, `identity for role ${machine.spec.role}`);
  refuseUnmapped(situation, infrastructure.region, NATIVE_NAMES, { field: 'gcp.diskType', type: input.gcp.diskType });
  if (zone === undefined || subnet === undefined) throw unknownDomain(situation, infrastructure);
  const key = machine.spec.machine.rootDisk.encrypted ? encryptionKey(infrastructure, input.gcp.kmsKey) : undefined;
  return {
    zone,
    machineType: instanceType,
    bootDisk: {
      autoDelete: true,
      initializeParams: { image, size, type, labels: machineLabels(situation, infrastructure) },
      ...(key === undefined ? {} : { kmsKeySelfLink: key }),
    },
    networkInterface: [{ subnetwork: subnet }],
    serviceAccount: { email: attachments.identity, scopes: ['cloud-platform'] },
    canIpForward: input.gcp.ipForwarding,
  };
}

/** Fields of forProvider that stay as they were created. */
const KEPT = ['zone', 'machineType', 'bootDisk', 'networkInterface', 'serviceAccount', 'canIpForward'] as const;

function catalogFields({ instanceType, image }: WantedMachine): JsonObject {
  return {
    machineType: instanceType,
    ...(image === undefined ? {} : { bootDisk: { initializeParams: { image } } }),
  };
}

/** What the claim asks of fields that stay. */
function fieldsOf(
  wanted: WantedMachine,
): readonly (readonly [path: readonly string[], value: string | number | undefined])[] {
  const disk = ['bootDisk', 'initializeParams'];
  return [
    [['zone'], wanted.zone],
    [['machineType'], wanted.instanceType],
    [[...disk, 'image'], wanted.image],
    [[...disk, 'size'], wanted.diskSize],
    [[...disk, 'type'], wanted.diskType],
  ];
}
