/** Virtual machines: what changes in place, what stops the machine, and what needs another machine. */
import { at, type Json, type JsonObject, isJsonObject, stringAt } from '#lib/api/json.ts';
import type { CloudKind, CloudObject } from '#simulator/cloud/kind.ts';
import type { MachineFacts } from '#simulator/cloud/machine.ts';
import { accountEmail } from './identity.ts';
import { gcpKind, inZone, PROJECT } from './kind.ts';
import { architectureOf, isMachineType, noSuchType } from './machine-types.ts';
import { addressIn } from './network.ts';

/** From terraform-provider-google, which refuses changes of these. */
const FORCE_NEW = [
  'bootDisk.deviceName',
  'bootDisk.initializeParams.architecture',
  'bootDisk.initializeParams.image',
  'bootDisk.initializeParams.size',
  'bootDisk.initializeParams.type',
  'bootDisk.kmsKeySelfLink',
  'bootDisk.mode',
  'bootDisk.source',
  'confidentialInstanceConfig',
  'guestAccelerator',
  'hostname',
  'networkInterface.nicType',
  'params',
  'project',
  'reservationAffinity',
  'scheduling.preemptible',
  'scheduling.provisioningModel',
  'scratchDisk',
  'zone',
];

/** Changes of these need a stopped machine. */
const STOPS = [
  'advancedMachineFeatures',
  'enableDisplay',
  'machineType',
  'minCpuPlatform',
  'networkInterface.network',
  'networkInterface.subnetwork',
  'scheduling.nodeAffinities',
  'serviceAccount',
  'shieldedInstanceConfig',
];

const stops = (field: string): boolean => STOPS.some((one) => field === one || field.startsWith(`${one}.`));

export const INSTANCE: CloudKind = gcpKind('compute', {
  kind: 'Instance',
  title: 'instance',
  path: inZone('instances'),
  seconds: { create: [12, 30], update: [30, 80], delete: [20, 60] },
  forceNew: FORCE_NEW,
  lists: { tags: 'set' },
  lateInitialized: ['attachedDisk'],
  volumes: { list: 'attachedDisk', by: 'source', untold: 'emptied' },
  hidden: ['metadata'],
  created: ({ id, name, attributes, dice, creations, find }) => {
    const ip = addressIn(subnetOf(attributes, find), 2 + Math.floor(dice.roll('ip', name, id, creations) * 250));
    const [first, ...others] = interfacesOf(attributes);
    return {
      attributes: { networkInterface: [{ ...first, networkIp: ip }, ...others] },
      outputs: {
        currentStatus: 'RUNNING',
        // A machine that is created again has the same name, and another number.
        instanceId: String(BigInt(`0x${dice.hex(15, 'instance', id, creations)}`)),
      },
    };
  },
  refuses: (attributes, find) => {
    const type = stringAt(attributes, 'machineType');
    if (type !== undefined && !isMachineType(type)) return noSuchType(type, stringAt(attributes, 'zone') ?? '');
    const absent = sourcesOf(attributes).find((name) => find(name) === undefined);
    if (absent !== undefined)
      return `googleapi: Error 404: The resource 'projects/${PROJECT}/zones/${stringAt(attributes, 'zone') ?? ''}/disks/${absent}' was not found, notFound`;
    const email = stringAt(attributes, 'serviceAccount', 'email');
    const account = find(email?.split('@')[0] ?? '');
    return email === undefined || (account !== undefined && accountEmail(account.id) === email)
      ? undefined
      : `googleapi: Error 400: The resource 'projects/-/serviceAccounts/${email}' of type 'serviceAccount' was not found.`;
  },
  refusesChange: (changed, wanted) => {
    const field = changed.find(stops);
    if (field === undefined || wanted['allowStoppingForUpdate'] === true) return undefined;
    return 'Changing the machine_type, min_cpu_platform, service_account, enable_display, shielded_instance_config, scheduling.node_affinities or network_interface on a started instance requires stopping it. To acknowledge this, please set allow_stopping_for_update = true in your config.';
  },
  boots: (attributes) => ({
    image: stringAt(attributes, 'bootDisk', 'initializeParams', 'image'),
    architecture: architectureOf(stringAt(attributes, 'machineType') ?? ''),
    refusal: (image, size) =>
      `googleapi: Error 400: Invalid value for field 'resource.disks[0]': the boot disk has the architecture ${asGoogle(image)}, and the machine type ${asGoogle(size)}.`,
  }),
  room: (attributes) => {
    const [zone, size] = [stringAt(attributes, 'zone') ?? '', stringAt(attributes, 'machineType') ?? ''];
    return {
      zone,
      size,
      refusal: (request) =>
        `Error waiting for instance to create: The zone 'projects/${PROJECT}/zones/${zone}' does not have enough resources available to fulfill the request. Try a different zone, or try again later. Request ${request}`,
    };
  },
  reads: ({ attributes, outputs }) =>
    attributes['desiredStatus'] === undefined ? {} : { desiredStatus: outputs['currentStatus'] },
  // google/services/compute/resource_compute_instance.go of terraform-provider-google, at the end of its update.
  power: {
    output: 'currentStatus',
    on: 'RUNNING',
    argument: 'desiredStatus',
    starts: ({ desiredStatus }) => desiredStatus === 'RUNNING',
  },
  during: (changed) =>
    changed.includes('deletion')
      ? { currentStatus: 'STOPPING' }
      : changed.some(stops)
        ? { currentStatus: 'TERMINATED' }
        : undefined,
});

const asGoogle = (architecture: string): string => (architecture === 'amd64' ? 'X86_64' : 'ARM64');

/** The provider detaches it from a machine, also from one that runs, before it deletes it. */
export const DISK: CloudKind = gcpKind('compute', {
  kind: 'Disk',
  title: 'disk',
  path: inZone('disks'),
  forceNew: ['diskEncryptionKey', 'project', 'type', 'zone'],
  isDetached: true,
  neededBy: ({ id }, things) => things.find(({ attributes }) => sourcesOf(attributes).includes(id)),
});

export function machineOf(thing: CloudObject): MachineFacts | undefined {
  if (thing.kind !== INSTANCE) return undefined;
  const { attributes, outputs, owner, id } = thing;
  const zone = stringAt(attributes, 'zone') ?? '';
  return {
    id,
    owner,
    kind: INSTANCE.kind,
    apiVersion: INSTANCE.apiVersion,
    zone,
    address: stringAt(interfacesOf(attributes)[0], 'networkIp') ?? '',
    running: stringAt(outputs, 'currentStatus') === 'RUNNING',
    userData: userDataIn(attributes),
    image: stringAt(attributes, 'bootDisk', 'initializeParams', 'image'),
    providerID: `gce://${PROJECT}/${zone}/${id}`,
  };
}

/** In base64, whatever it is in metadata. */
function userDataIn(attributes: JsonObject): string | undefined {
  const data = stringAt(attributes, 'metadata', 'user-data');
  if (data === undefined) return undefined;
  const isEncoded = at(attributes, 'metadata', 'user-data-encoding') === 'base64';
  return isEncoded ? data : Buffer.from(data).toString('base64');
}

function interfacesOf({ networkInterface }: JsonObject): readonly JsonObject[] {
  return Array.isArray(networkInterface) ? (networkInterface as readonly Json[]).filter(isJsonObject) : [];
}

/** Names of its data disks. */
function sourcesOf({ attachedDisk }: JsonObject): readonly string[] {
  const disks = Array.isArray(attachedDisk) ? (attachedDisk as readonly Json[]) : [];
  return disks.flatMap((disk) => stringAt(disk, 'source') ?? []);
}

function subnetOf(attributes: JsonObject, find: (id: string) => CloudObject | undefined): CloudObject | undefined {
  return find(stringAt(interfacesOf(attributes)[0], 'subnetwork') ?? '');
}
