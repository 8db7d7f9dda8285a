/** Edits of a Machine on AWS. */
import { AWS_FIELDS } from '#clouds/aws/fields.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { aMachine, call } from '../../functions/machine/machine.fixture.ts';
import type { CloudUnderTest } from './cloud.ts';

/** Two values for each field that becomes part of the object in the cloud. */
const EDITS: CloudUnderTest['edits'] = {
  'spec.failureDomain': [{ failureDomain: 'eu-west-1a' }, { failureDomain: 'eu-west-1b' }],
  'spec.machine.class': [{ machine: { class: 'standard-4' } }, { machine: { class: 'm6i.2xlarge' } }],
  'spec.machine.instanceType': [
    { machine: { instanceType: 'm6i.large' } },
    { machine: { instanceType: 'm6i.xlarge' } },
  ],
  'spec.machine.image': [
    { machine: { class: 'standard-4', image: 'ami-0aaaaaaaaaaaaaaa1' } },
    { machine: { class: 'standard-4', image: 'ami-0aaaaaaaaaaaaaaa2' } },
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
  'spec.machine.rootDisk.type': [disk({ type: 'gp3' }), disk({ type: 'io2' })],
  'spec.machine.rootDisk.encrypted': [disk({ encrypted: true }), disk({ encrypted: false })],
};

function disk(rootDisk: JsonObject): JsonObject {
  return { machine: { class: 'standard-4', rootDisk } };
}

async function instance(spec: JsonObject, observed?: KubeObject): Promise<KubeObject> {
  const reply = await call({ machine: aMachine(spec), observed: observed === undefined ? {} : { instance: observed } });
  return reply.resources.get('instance')!.resource;
}

export const AWS: CloudUnderTest = { name: 'AWS', fields: AWS_FIELDS, edits: EDITS, instance };
