/** What a Machine asks its cloud for, by the catalog of its Composition. */
import { refusal } from '#lib/api/refusal.ts';
import { type Fault, imageFault, imageOf, sizeFault } from './asked.ts';
import { type DefaultDiskType, refuseDefaultDiskType } from './default-disk-type.ts';
import type { MachineSituation } from './machine.ts';
import { askedBy } from './machine-input.ts';
import type { NativeNames } from './native-names.ts';

type Situation = Pick<MachineSituation, 'machine' | 'input' | 'owner'>;

/** The id of its image in the cloud; undefined if the Composition does not have the name of the image for the region. */
export function machineImage({ machine, input }: Situation, region: string, names: NativeNames): string | undefined {
  return imageOf(askedBy(machine), input, region, names);
}

/**
 * Throws InvalidClaim for an image or a size that the platform does not map and that is no name of the cloud, and
 * InvalidInput for a type of disks that the cloud cannot make.
 * @param disks  for claims that do not say it
 */
export function refuseUnmapped(
  { machine, input, owner }: Situation,
  region: string,
  names: NativeNames,
  disks: DefaultDiskType,
): void {
  const asked = askedBy(machine);
  const fault = sizeFault(asked, input, names) ?? imageFault(asked, input, region, names);
  if (fault !== undefined) throw refusal(owner, FIELD[fault.field], fault.value, fault.accepted);
  refuseDefaultDiskType({ machine, owner }, disks, names);
}

const FIELD: Readonly<Record<Fault['field'], string>> = {
  class: 'spec.machine.class',
  instanceType: 'spec.machine.instanceType',
  image: 'spec.machine.image',
  version: 'spec.version',
  // A Machine has no region: it is that of its Cluster.
  region: 'spec.machine.image',
};
