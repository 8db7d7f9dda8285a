/** Which fields of an Azure virtual machine Slipway sets, and what a change of each does. */
import type { CloudFields } from '#lib/cloud/fields.ts';
import { dataDisks } from './devices.ts';

export const AZURE_FIELDS = {
  kind: 'compute.azure.m.upbound.io/LinuxVirtualMachine',
  made: [
    { field: 'zone', of: ['spec.failureDomain'], change: 'Replaces' },
    { field: 'size', of: ['spec.machine.class', 'spec.machine.instanceType'], change: 'Stops' },
    { field: 'evictionPolicy', of: ['spec.machine.capacityType'], change: 'Replaces' },
    { field: 'priority', of: ['spec.machine.capacityType'], change: 'Replaces' },
    { field: 'sourceImageId', of: ['spec.machine.image'], change: 'Replaces' },
    { field: 'sourceImageReference', of: ['spec.machine.image'], change: 'Replaces' },
    { field: 'osDisk.diskSizeGb', of: ['spec.machine.rootDisk.sizeGiB'], change: 'Stops' },
    { field: 'osDisk.storageAccountType', of: ['spec.machine.rootDisk.type'], change: 'Replaces' },
    { field: 'encryptionAtHostEnabled', of: ['spec.machine.rootDisk.encrypted'], change: 'Stops' },
  ],
  alsoStop: [
    'additionalCapabilities.ultraSsdEnabled',
    'capacityReservationGroupId',
    'dedicatedHostGroupId',
    'dedicatedHostId',
    'diskControllerType',
    'maxBidPrice',
    'networkInterfaceIds',
    'osDisk.caching',
    'osDisk.diskEncryptionSetId',
    'osDisk.writeAcceleratorEnabled',
    'proximityPlacementGroupId',
  ],
  spot: { fields: { priority: 'Spot', evictionPolicy: 'Delete' }, toldBy: ['priority'] },
  dataDisks,
} as const satisfies CloudFields;
