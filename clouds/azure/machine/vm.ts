/**
 * The virtual machine. Fields that Azure could only change by stopping or replacing it stay as they were created: a
 * machine changes by being replaced, never without its node being drained.
 */
import { SlipwayError } from '#lib/api/errors.ts';
import type { InfrastructureStatus } from '#lib/api/contracts/infrastructure-status.ts';
import { at, type Json, type JsonObject, type KubeObject, sameJson, stringAt } from '#lib/api/json.ts';
import { refusal } from '#lib/api/refusal.ts';
import { attachmentsOf } from '#lib/cloud/attachments.ts';
import { encryptionKey } from '#lib/cloud/encryption-key.ts';
import { machineImage, refuseUnmapped } from '#lib/cloud/machine-asked.ts';
import { instanceTypeOf } from '#lib/cloud/machine-input.ts';
import { overrideMatches } from '#lib/fn/overrides.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import { machineName } from '../names.ts';
import { zoneNumber } from '../zones.ts';
import { customDataRef } from './custom-data.ts';
import { groupOf } from './group.ts';
import { imageFields } from './image.ts';
import { INSTANCE, nameOf } from './name.ts';
import { interfaceRef } from './network-interface.ts';
import { managed } from './resource.ts';
import type { Situation } from './situation.ts';
import { machineTags } from './tags.ts';

export interface Vm {
  readonly resource: KubeObject;
  readonly kept: readonly string[];
  readonly unfinished: string | undefined;
  /** The id of the subnet of a new machine. */
  readonly subnet: string | undefined;
}

/** @param released whether its size may change now: its node is drained, and the stop is expected */
export function vmOf(situation: Situation, infrastructure: InfrastructureStatus, released: boolean): Vm {
  const { machine } = situation;
  const observed = situation.observed.get(INSTANCE);
  const wanted = chosen(situation, infrastructure);
  const made =
    observed === undefined
      ? created(situation, infrastructure, wanted)
      : keptOf(at(observed, 'spec', 'forProvider'), released ? wanted.size : undefined);
  const forProvider: JsonObject = { ...made, tags: machineTags(situation, infrastructure) };
  return {
    resource: managed(situation, 'LinuxVirtualMachine', {
      name: machine.metadata.name,
      externalName: nameOf(situation, infrastructure),
      forProvider,
    }),
    kept: observed === undefined ? [] : differing(situation, wanted, forProvider),
    unfinished: released ? unfinished(situation, observed, wanted.size) : undefined,
    subnet: wanted.subnet,
  };
}

/** What the claim comes to. */
interface Chosen {
  readonly zone: string | undefined;
  readonly subnet: string | undefined;
  readonly size: string;
  readonly image: string | undefined;
  readonly diskSize: number;
  readonly diskType: string;
}

function chosen(situation: Situation, infrastructure: InfrastructureStatus): Chosen {
  const { machine, input } = situation;
  const domain = machine.spec.failureDomain ?? infrastructure.failureDomains[0]?.name;
  const found = infrastructure.failureDomains.find(({ name }) => name === domain);
  const { rootDisk } = machine.spec.machine;
  return {
    zone: found?.name,
    subnet: found?.subnet,
    size: instanceTypeOf(machine, input),
    image: machineImage(situation, infrastructure.region, NATIVE_NAMES),
    diskSize: rootDisk.sizeGiB,
    diskType: rootDisk.type ?? input.azure.diskType,
  };
}

/** Throws InvalidClaim if a value of the claim maps to nothing. Only before creation. */
function created(situation: Situation, infrastructure: InfrastructureStatus, wanted: Chosen): JsonObject {
  const { machine, owner, input } = situation;
  const { zone, subnet, size, image, diskSize, diskType } = wanted;
  const { id, region } = infrastructure;
  const identity = attachmentsOf(situation, infrastructure)?.identity;
  if (identity === undefined || id === undefined)
    throw new SlipwayError(
      'BrokenContract',
      `cannot place ${owner}: status.infrastructure of its Cluster is ready but has no ${id === undefined ? 'id' : `identity for role ${machine.spec.role}`}`,
    );
  refuseUnmapped(situation, region, NATIVE_NAMES);
  if (zone === undefined || subnet === undefined) {
    const known = infrastructure.failureDomains.map(({ name }) => name).toSorted();
    const accepted = known.length === 0 ? 'none yet, since the Cluster has no failure domains' : known.join(', ');
    throw refusal(owner, 'spec.failureDomain', machine.spec.failureDomain, accepted);
  }
  const { adminUsername, adminPublicKey, encryptionAtHost } = input.azure;
  const key = encryptionKey(infrastructure, input.azure.diskEncryptionSetId);
  return {
    location: region,
    resourceGroupName: groupOf(infrastructure),
    zone: zoneNumber(zone),
    size,
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

/** @param size that it gets now */
function keptOf(existing: Json | undefined, size: string | undefined): JsonObject {
  const kept = KEPT.map((field) => [field, at(existing, field)] as const).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(kept), ...(size === undefined ? {} : { size }) };
}

/** Fields of the claim that differ from the machine as it is; a field that an override sets is not compared. */
function differing(situation: Situation, wanted: Chosen, made: JsonObject): readonly string[] {
  const fields: readonly (readonly [path: readonly string[], want: Json | undefined])[] = [
    [['zone'], wanted.zone === undefined ? undefined : zoneNumber(wanted.zone)],
    [['size'], wanted.size],
    ...Object.entries(wanted.image === undefined ? {} : imageFields(wanted.image)).map(
      ([field, want]) => [[field], want] as const,
    ),
    [['osDisk', 'diskSizeGb'], wanted.diskSize],
    [['osDisk', 'storageAccountType'], wanted.diskType],
  ];
  return fields
    .filter(
      ([path, want]) =>
        want !== undefined && !isOverridden(situation, path) && !sameJson(at(made, ...path) ?? null, want ?? null),
    )
    .map(([path]) => path.join('.'));
}

function isOverridden({ machine }: Situation, path: readonly string[]): boolean {
  return machine.spec.infrastructure.overrides.some(
    (override) =>
      overrideMatches(override, INSTANCE, 'LinuxVirtualMachine') &&
      at(override.patch, 'spec', 'forProvider', ...path) !== undefined,
  );
}

/** The desired size may not be running yet. */
function unfinished(situation: Situation, observed: KubeObject | undefined, wanted: string): string | undefined {
  const reported = stringAt(observed, 'status', 'atProvider', 'size');
  if (reported === wanted || isOverridden(situation, ['size'])) return undefined;
  return `size is ${reported ?? 'not known'}, expected ${wanted}`;
}
