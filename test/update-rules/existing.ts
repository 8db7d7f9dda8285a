/** Edits of a Machine on a host of somebody else. */
import { EXISTING_FIELDS } from '#clouds/existing/fields.ts';
import { hostClaim } from '../../clouds/existing/machine/machine.fixture.ts';
import type { JsonObject } from '#lib/api/json.ts';
import type { CloudUnderTest } from './cloud.ts';

/** Two values for each field that becomes part of the claim of a host. */
const EDITS: CloudUnderTest['edits'] = {
  'spec.failureDomain': [{ failureDomain: 'rack-1' }, { failureDomain: 'rack-2' }],
  'spec.machine.class': [{ machine: { class: 'standard-4' } }, { machine: { class: 'r740' } }],
  'spec.machine.instanceType': [{ machine: { instanceType: 'r640' } }, { machine: { instanceType: 'r740' } }],
  'spec.machine.image': [
    { machine: { class: 'standard-4', image: 'ubuntu-24.04' } },
    { machine: { class: 'standard-4', image: 'debian' } },
  ],
  'spec.machine.dataDisks': [
    { machine: { class: 'standard-4' } },
    { machine: { class: 'standard-4', dataDisks: [{ name: 'data', sizeGiB: 100 }] } },
  ],
  'spec.machine.capacityType': [
    { machine: { class: 'standard-4' } },
    { machine: { class: 'standard-4', capacityType: 'on-demand' } },
  ],
  'spec.machine.rootDisk.sizeGiB': [disk({ sizeGiB: 40 }), disk({ sizeGiB: 80 })],
  'spec.machine.rootDisk.type': [disk({ type: 'ssd' }), disk({ type: 'nvme' })],
  'spec.machine.rootDisk.encrypted': [disk({ encrypted: true }), disk({ encrypted: false })],
};

function disk(rootDisk: JsonObject): JsonObject {
  return { machine: { class: 'standard-4', rootDisk } };
}

export const EXISTING: CloudUnderTest = {
  name: 'existing hosts',
  fields: EXISTING_FIELDS,
  edits: EDITS,
  instance: hostClaim,
};
