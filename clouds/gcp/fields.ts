/** Which fields of a Google Compute Engine instance Slipway sets, and what a change of each does. */
import type { CloudFields } from '#lib/cloud/fields.ts';
import { dataDisks } from './devices.ts';

export const GCP_FIELDS = {
  kind: 'compute.gcp.m.upbound.io/Instance',
  made: [
    { field: 'zone', of: ['spec.failureDomain'], change: 'Replaces' },
    { field: 'machineType', of: ['spec.machine.class', 'spec.machine.instanceType'], change: 'Stops' },
    { field: 'scheduling', of: ['spec.machine.capacityType'], change: 'Replaces' },
    { field: 'bootDisk.initializeParams.image', of: ['spec.machine.image'], change: 'Replaces' },
    { field: 'bootDisk.initializeParams.size', of: ['spec.machine.rootDisk.sizeGiB'], change: 'Replaces' },
    { field: 'bootDisk.initializeParams.type', of: ['spec.machine.rootDisk.type'], change: 'Replaces' },
    { field: 'bootDisk.kmsKeySelfLink', of: ['spec.machine.rootDisk.encrypted'], change: 'Replaces' },
    { field: 'attachedDisk', of: ['spec.machine.dataDisks'], change: 'Replaces' },
  ],
  alsoStop: [
    'advancedMachineFeatures',
    'enableDisplay',
    'minCpuPlatform',
    'networkInterface[].network',
    'networkInterface[].subnetwork',
    'networkInterface[].subnetworkProject',
    'scheduling.nodeAffinities',
    'serviceAccount',
    'shieldedInstanceConfig',
  ],
  alsoReplaces: ['scheduling', 'attachedDisk'],
  spot: {
    fields: {
      scheduling: {
        provisioningModel: 'SPOT',
        preemptible: true,
        automaticRestart: false,
        instanceTerminationAction: 'DELETE',
      },
    },
    toldBy: ['scheduling', 'provisioningModel'],
    alsoToldBy: [['scheduling', 'preemptible']],
  },
  dataDisks,
} as const satisfies CloudFields;
