/** From the words of a claim to an AMI and an instance type. */
import { refusal } from '#lib/api/refusal.ts';
import { type Fault, imageFault, imageOf as idOf, sizeFault } from '#lib/cloud/asked.ts';
import { askedBy } from '#lib/cloud/machine-input.ts';
import { NATIVE_NAMES } from '../native-names.ts';
import type { Situation } from './situation.ts';

/** The AMI of a machine; undefined if the Composition does not have the name of the image for the region. */
export function imageOf({ machine, input }: Situation, region: string): string | undefined {
  return idOf(askedBy(machine), input, region, NATIVE_NAMES);
}

/** Throws InvalidClaim for an image or a size that the platform does not map and that is no name of AWS. */
export function refuseUnmapped({ machine, input, owner }: Situation, region: string): void {
  const asked = askedBy(machine);
  const fault = sizeFault(asked, input, NATIVE_NAMES) ?? imageFault(asked, input, region, NATIVE_NAMES);
  if (fault !== undefined) throw refusal(owner, FIELD[fault.field], fault.value, fault.accepted);
}

const FIELD: Readonly<Record<Fault['field'], string>> = {
  class: 'spec.machine.class',
  instanceType: 'spec.machine.instanceType',
  image: 'spec.machine.image',
  version: 'spec.version',
  // A Machine has no region: it is that of its Cluster.
  region: 'spec.machine.image',
};
