/** Which fields of a HostClaim Slipway sets. Another value needs another host. */
import type { CloudFields } from '#lib/cloud/fields.ts';

export const EXISTING_FIELDS = {
  kind: 'node.slipway.dev/HostClaim',
  made: [
    { field: 'failureDomain', of: ['spec.failureDomain'], change: 'Replaces' },
    { field: 'size', of: ['spec.machine.class', 'spec.machine.instanceType'], change: 'Replaces' },
    { field: 'image', of: ['spec.machine.image'], change: 'Replaces' },
    { field: 'rootDisk.sizeGiB', of: ['spec.machine.rootDisk.sizeGiB'], change: 'Replaces' },
    { field: 'rootDisk.type', of: ['spec.machine.rootDisk.type'], change: 'Replaces' },
    { field: 'rootDisk.encrypted', of: ['spec.machine.rootDisk.encrypted'], change: 'Replaces' },
    { field: 'dataDisks', of: ['spec.machine.dataDisks'], change: 'Replaces' },
  ],
  alsoStop: [],
} as const satisfies CloudFields;
