/** Edits of a Machine on Azure. */
import { AZURE_FIELDS } from '#clouds/azure/fields.ts';
import { instance } from '../../clouds/azure/machine/machine.fixture.ts';
import type { JsonObject } from '#lib/api/json.ts';
import type { CloudUnderTest } from './cloud.ts';

/** Two values for each field that becomes part of the object in the cloud. */
const EDITS: CloudUnderTest['edits'] = {
  'spec.failureDomain': [{ failureDomain: 'westeurope-1' }, { failureDomain: 'westeurope-2' }],
  'spec.machine.class': [{ machine: { class: 'standard-4' } }, { machine: { class: 'Standard_D8s_v5' } }],
  'spec.machine.instanceType': [
    { machine: { instanceType: 'Standard_D2s_v5' } },
    { machine: { instanceType: 'Standard_D4s_v5' } },
  ],
  // An id and an image of the marketplace are in two fields.
  'spec.machine.image': [
    { machine: { class: 'standard-4', image: '/communityGalleries/g/images/one/versions/1.0.0' } },
    { machine: { class: 'standard-4', image: 'canonical:ubuntu-24_04-lts:server:latest' } },
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
  'spec.machine.rootDisk.type': [disk({ type: 'Premium_LRS' }), disk({ type: 'StandardSSD_LRS' })],
  'spec.machine.rootDisk.encrypted': [disk({ encrypted: true }), disk({ encrypted: false })],
};

function disk(rootDisk: JsonObject): JsonObject {
  return { machine: { class: 'standard-4', rootDisk } };
}

export const AZURE: CloudUnderTest = { name: 'Azure', fields: AZURE_FIELDS, edits: EDITS, instance };
