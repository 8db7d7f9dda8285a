/** Virtual machines and their network interfaces: what changes in place, what stops, and what needs another machine. */
import { at, type JsonObject, stringAt } from '#lib/api/json.ts';
import type { CloudKind, CloudObject } from '#simulator/cloud/kind.ts';
import type { MachineFacts } from '#simulator/cloud/machine.ts';
import { azureKind, inGroup, listIn, textsIn } from './kind.ts';
import { addressIn, notFound } from './network.ts';
import { refusedWith } from './refusal.ts';
import { architectureOf, isSize } from './sizes.ts';

/** From terraform-provider-azurerm, which refuses changes of these. */
const FORCE_NEW = [
  'adminSshKey',
  'adminUsername',
  'availabilitySetId',
  'computerName',
  'customData',
  'disablePasswordAuthentication',
  'edgeZone',
  'evictionPolicy',
  'location',
  'osDisk.diffDiskSettings',
  'osDisk.name',
  'osDisk.secureVmDiskEncryptionSetId',
  'osDisk.securityEncryptionType',
  'osDisk.storageAccountType',
  'osManagedDiskId',
  'plan',
  'platformFaultDomain',
  'priority',
  'provisionVmAgent',
  'resourceGroupName',
  'secureBootEnabled',
  'sourceImageId',
  'sourceImageReference',
  'vtpmEnabled',
  'zone',
];

/** Changes of these power the machine off. */
const STOPS = [
  'additionalCapabilities.ultraSsdEnabled',
  'capacityReservationGroupId',
  'dedicatedHostGroupId',
  'dedicatedHostId',
  'diskControllerType',
  'encryptionAtHostEnabled',
  'maxBidPrice',
  'networkInterfaceIds',
  'osDisk.caching',
  'osDisk.diskEncryptionSetId',
  'osDisk.diskSizeGb',
  'osDisk.writeAcceleratorEnabled',
  'proximityPlacementGroupId',
  'size',
];

const stops = (field: string): boolean => STOPS.some((one) => field === one || field.startsWith(`${one}.`));

/** Of custom data, in base64. */
const LARGEST = 87_380;

const VM: CloudKind = azureKind('compute', {
  kind: 'LinuxVirtualMachine',
  title: 'Linux Virtual Machine',
  path: inGroup('Microsoft.Compute/virtualMachines'),
  seconds: { create: [30, 70], update: [40, 100], delete: [30, 80] },
  forceNew: FORCE_NEW,
  references: { networkInterfaceIds: 'NetworkInterface' },
  takes: { VirtualMachineDataDiskAttachment: 'virtualMachineId' },
  lateInitialized: ['osManagedDiskId'],
  sensitive: ['customData'],
  hidden: ['customData', 'powerState'],
  created: ({ name, id, attributes, dice, creations, find }) => ({
    attributes: { osManagedDiskId: inGroup('Microsoft.Compute/disks')(`${id}_OsDisk_${creations}`, attributes) },
    outputs: {
      privateIpAddress: stringAt(interfaceOf(attributes, find)?.outputs, 'privateIpAddress') ?? '',
      // A machine that is created again has the same name, and another number.
      virtualMachineId: guid(dice.hex(32, 'vm', name, id, creations)),
      powerState: 'running',
    },
  }),
  refuses: (attributes, find) => {
    // Azure deletes the disk that a machine boots from with the machine.
    const disk = stringAt(attributes, 'osManagedDiskId');
    if (disk !== undefined) return notFound(disk);
    const size = stringAt(attributes, 'size') ?? '';
    if (!isSize(size))
      return refusedWith('InvalidParameter', `The value ${size} provided for the VM size is not valid.`);
    if (interfaceOf(attributes, find) === undefined)
      return notFound(textsIn(attributes['networkInterfaceIds'])[0] ?? '');
    const [identity = ''] = textsIn(at(attributes, 'identity', 'identityIds'));
    if (find(identity) === undefined) return notFound(identity);
    const data = stringAt(attributes, 'customData') ?? '';
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data) || data.length > LARGEST)
      return refusedWith(
        'InvalidParameter',
        'Custom data in OSProfile must be in Base64 encoding and with a maximum length of 87380 characters.',
      );
    return undefined;
  },
  boots: (attributes) => ({
    image: imageIn(attributes),
    architecture: architectureOf(stringAt(attributes, 'size') ?? ''),
    refusal: (image, size) =>
      refusedWith(
        'BadRequest',
        `Cannot create a VM of size '${stringAt(attributes, 'size') ?? ''}' because this VM size only supports a CPU Architecture of '${asAzure(size)}', but an image or disk with CPU Architecture '${asAzure(image)}' was given.`,
      ),
  }),
  room: (attributes) => {
    const [location, zone] = [stringAt(attributes, 'location') ?? '', stringAt(attributes, 'zone') ?? ''];
    const size = stringAt(attributes, 'size') ?? '';
    return {
      zone: `${location}-${zone}`,
      size,
      refusal: (request) =>
        `polling after CreateOrUpdate: polling failed: the Azure API returned the following error: Status: "ZonalAllocationFailed" Code: "" Message: "Allocation failed. We do not have sufficient capacity for the requested VM size in this zone. Read more about improving likelihood of allocation success at http://aka.ms/allocation-guidance" Activity Id: "${request}"`,
    };
  },
  // shouldTurnBackOn in internal/services/compute/linux_virtual_machine_resource.go of terraform-provider-azurerm.
  power: { output: 'powerState', on: 'running', starts: () => false },
  during: (changed) =>
    changed.includes('deletion') || changed.some(stops) ? { powerState: 'deallocated' } : undefined,
});

const asAzure = (architecture: string): string => (architecture === 'amd64' ? 'x64' : 'Arm64');

const NETWORK_INTERFACE: CloudKind = azureKind('network', {
  kind: 'NetworkInterface',
  title: 'Network Interface',
  path: inGroup('Microsoft.Network/networkInterfaces'),
  forceNew: ['edgeZone', 'location', 'resourceGroupName'],
  references: { subnetId: 'Subnet' },
  blockedBy: { LinuxVirtualMachine: ['networkInterfaceIds'] },
  takes: {
    NetworkInterfaceApplicationSecurityGroupAssociation: 'networkInterfaceId',
    NetworkInterfaceBackendAddressPoolAssociation: 'networkInterfaceId',
    NetworkInterfaceSecurityGroupAssociation: 'networkInterfaceId',
  },
  created: ({ id, attributes, dice, creations, find }) => {
    const subnet = find(stringAt(listIn(attributes['ipConfiguration'])[0], 'subnetId') ?? '');
    const last = 4 + Math.floor(dice.roll('ip', id, creations) * 250);
    return { outputs: { privateIpAddress: addressIn(subnet, last) } };
  },
  refuses: (attributes, find) => {
    const subnet = stringAt(listIn(attributes['ipConfiguration'])[0], 'subnetId') ?? '';
    return find(subnet) === undefined ? notFound(subnet) : undefined;
  },
});

/** A pool has an address of an interface, and a group the interface. */
function configurationIn(attributes: JsonObject): string {
  const nic = stringAt(attributes, 'networkInterfaceId') ?? '';
  const name = stringAt(attributes, 'ipConfigurationName');
  return name === undefined ? nic : `${nic}/ipConfigurations/${name}`;
}

/** Without its groups, a machine is refused everything. */
const NEEDED: Pick<CloudKind, 'neededBy'> = {
  neededBy: ({ attributes: { networkInterfaceId: id } }, things) =>
    things.find(
      ({ kind, attributes }) => kind === VM && textsIn(attributes['networkInterfaceIds']).some((one) => one === id),
    ),
};

/** A relation of a network interface. @param other the argument with the id of what it is in */
function membership(kind: string, title: string, other: string, more: Partial<CloudKind> = {}): CloudKind {
  return azureKind('network', {
    kind,
    title,
    idPrefix: 'member-',
    knownByPath: true,
    path: (_, attributes) => [configurationIn(attributes), stringAt(attributes, other) ?? ''].join('|'),
    forceNew: ['networkInterfaceId', other, 'ipConfigurationName'],
    references: { networkInterfaceId: 'NetworkInterface' },
    ...more,
    refuses: (attributes, find) => {
      const id = stringAt(attributes, other) ?? '';
      return find(id) === undefined ? notFound(id) : undefined;
    },
  });
}

const MANAGED_DISK: CloudKind = azureKind('compute', {
  kind: 'ManagedDisk',
  title: 'Managed Disk',
  path: inGroup('Microsoft.Compute/disks'),
  forceNew: ['createOption', 'location', 'resourceGroupName', 'zone'],
  blockedBy: { VirtualMachineDataDiskAttachment: ['managedDiskId'] },
});

const ATTACHMENT: CloudKind = azureKind('compute', {
  kind: 'VirtualMachineDataDiskAttachment',
  title: 'Virtual Machine Data Disk Attachment',
  idPrefix: 'attached-',
  knownByPath: true,
  path: (_, attributes) => {
    const disk = stringAt(attributes, 'managedDiskId') ?? '';
    return `${stringAt(attributes, 'virtualMachineId') ?? ''}/dataDisks/${disk.split('/').at(-1) ?? ''}`;
  },
  forceNew: ['createOption', 'lun', 'managedDiskId', 'virtualMachineId'],
  references: { managedDiskId: 'ManagedDisk', virtualMachineId: 'LinuxVirtualMachine' },
  neededBy: ({ attributes }, things) =>
    things.find(({ kind, arn }) => kind === VM && arn === attributes['virtualMachineId']),
  refuses: (attributes, find) => {
    const ids = ['virtualMachineId', 'managedDiskId'].map((field) => stringAt(attributes, field) ?? '');
    const missing = ids.find((id) => find(id) === undefined);
    return missing === undefined ? undefined : notFound(missing);
  },
});

export const MACHINE: readonly CloudKind[] = [
  VM,
  MANAGED_DISK,
  ATTACHMENT,
  NETWORK_INTERFACE,
  membership(
    'NetworkInterfaceApplicationSecurityGroupAssociation',
    'NIC/Application Security Group Association',
    'applicationSecurityGroupId',
    NEEDED,
  ),
  membership(
    'NetworkInterfaceBackendAddressPoolAssociation',
    'NIC/Backend Address Pool Association',
    'backendAddressPoolId',
  ),
  membership(
    'NetworkInterfaceSecurityGroupAssociation',
    'NIC/Security Group Association',
    'networkSecurityGroupId',
    NEEDED,
  ),
];

export function machineOf(thing: CloudObject): MachineFacts | undefined {
  if (thing.kind !== VM) return undefined;
  const { attributes, outputs, owner, id, arn } = thing;
  return {
    id,
    owner,
    kind: VM.kind,
    apiVersion: VM.apiVersion,
    zone: `${stringAt(attributes, 'location') ?? ''}-${stringAt(attributes, 'zone') ?? ''}`,
    address: stringAt(outputs, 'privateIpAddress') ?? '',
    running: outputs['powerState'] === 'running',
    userData: stringAt(attributes, 'customData'),
    image: imageIn(attributes),
    providerID: `azure://${arn}`,
  };
}

function imageIn({ sourceImageId, sourceImageReference }: JsonObject): string | undefined {
  if (typeof sourceImageId === 'string') return sourceImageId;
  const parts = ['publisher', 'offer', 'sku', 'version'].map((part) => stringAt(sourceImageReference, part));
  return parts.every((part) => part !== undefined) ? parts.join(':') : undefined;
}

function interfaceOf(attributes: JsonObject, find: (id: string) => CloudObject | undefined): CloudObject | undefined {
  return find(textsIn(attributes['networkInterfaceIds'])[0] ?? '');
}

function guid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
