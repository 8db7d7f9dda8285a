/** Edits of a Machine on GCP. */
import { GCP_FIELDS } from '#clouds/gcp/fields.ts';
import { instance } from '../../clouds/gcp/machine/machine.fixture.ts';
import type { JsonObject } from '#lib/api/json.ts';
import type { CloudUnderTest } from './cloud.ts';

/** Two values for each field that becomes part of the object in the cloud. */
const EDITS: CloudUnderTest['edits'] = {
  'spec.failureDomain': [{ failureDomain: 'europe-west1-b' }, { failureDomain: 'europe-west1-c' }],
  'spec.machine.class': [{ machine: { class: 'standard-4' } }, { machine: { class: 'n2-standard-8' } }],
  'spec.machine.instanceType': [
    { machine: { instanceType: 'n2-standard-2' } },
    { machine: { instanceType: 'n2-standard-4' } },
  ],
  'spec.machine.image': [
    { machine: { class: 'standard-4', image: 'projects/p/global/images/one' } },
    { machine: { class: 'standard-4', image: 'projects/p/global/images/two' } },
  ],
  'spec.machine.dataDisks': [
    { machine: { class: 'standard-4' } },
    { machine: { class: 'standard-4', dataDisks: [{ name: 'data', sizeGiB: 100 }] } },
  ],
  'spec.machine.capacityType': [
    { machine: { class: 'standard-4', capacityType: 'on-demand' } },
    { machine: { class: 'standard-4', capacityType: 'spot' } },
  ],
  'spec.machine.rootDisk.sizeGiB': [disk({ sizeGiB: 40 }), disk({ sizeGiB: 80 })],
  'spec.machine.rootDisk.type': [disk({ type: 'pd-balanced' }), disk({ type: 'pd-ssd' })],
  'spec.machine.rootDisk.encrypted': [disk({ encrypted: true }), disk({ encrypted: false })],
};

function disk(rootDisk: JsonObject): JsonObject {
  return { machine: { class: 'standard-4', rootDisk } };
}

export const GCP: CloudUnderTest = { name: 'GCP', fields: GCP_FIELDS, edits: EDITS, instance };
