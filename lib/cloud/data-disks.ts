/** Disks of a machine besides the one it boots from: they are made with it, and deleted with it. */
import { isManagedReady } from '#lib/api/conditions.ts';
import type { DataDisk } from '#lib/api/fields/machine-template.ts';
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { type CloudFields, madeOf, type Said, type SaidAlready } from './fields.ts';
import { type Composed, keptFields } from './kept-fields.ts';
import type { MachineProgress, MachineSituation } from './machine.ts';
import type { Entry } from './managed.ts';

type Situation = Pick<MachineSituation, 'machine' | 'observed'>;

/** In the order of the claim, which is that of their devices. */
export function dataDisksOf({ machine }: Pick<Situation, 'machine'>): readonly DataDisk[] {
  return machine.spec.machine.dataDisks ?? [];
}

/**
 * The list of disks for initProvider of the virtual machine itself, as it was made with them. Only its creation uses it:
 * drivers in the cluster attach volumes to the machine and detach them, and a list in forProvider would be all disks of
 * the machine for its provider.
 * @param observed  the managed resource of the virtual machine
 * @param id  undefined: the cloud has yet to create it, also if its resource is of an older release, with the list in
 * forProvider only
 * @param standIn  the list of a machine that was made without: a provider that is told none fails over attached volumes
 */
export function diskList(
  situation: Pick<Situation, 'machine'>,
  field: string,
  observed: KubeObject | undefined,
  { id }: Pick<MachineProgress, 'id'>,
  made: (disk: DataDisk, index: number) => JsonObject,
  standIn: JsonObject,
): JsonObject {
  const kept = keptFields(at(observed, 'spec', 'initProvider'), [field]);
  if (kept[field] !== undefined) return kept;
  return { [field]: id === undefined ? dataDisksOf(situation).map(made) : [standIn] };
}

/** Composition resource name of a disk that is an object of its own. */
export function diskKey({ name }: Pick<DataDisk, 'name'>): string {
  return `${DISK}${name}`;
}

const DISK = 'disk-';

/**
 * The disks as objects of their own. A machine that exists keeps those it was made with: one that was no longer desired
 * would be deleted, with what is on it.
 */
export function diskObjects(
  situation: Situation,
  vm: Composed,
  made: (disk: DataDisk) => KubeObject,
): readonly Entry[] {
  const { observed } = situation;
  if (!observed.has(vm.key)) return dataDisksOf(situation).map((disk) => [diskKey(disk), made(disk)]);
  return [...observed].filter(([key]) => key.startsWith(DISK)).map(([key, object]) => [key, asDesired(object)]);
}

/**
 * Why the machine must not be created yet: a cloud refuses one whose disks do not exist, and one that exists is given no
 * other disks.
 */
export function missingDisk({ machine, observed }: Situation, vm: Composed): string | undefined {
  if (observed.has(vm.key)) return undefined;
  const missing = dataDisksOf({ machine }).find((disk) => !isManagedReady(observed.get(diskKey(disk))));
  return missing && `waiting for data disk ${missing.name}`;
}

/** Undefined unless a patch of the virtual machine replaces the whole list of disks of the claim. */
export function otherDisks({ dataDisks = [] }: Said, patch: JsonObject, cloud: CloudFields): SaidAlready | undefined {
  if (dataDisks.length === 0) return undefined;
  const lists = madeOf(cloud, 'spec.machine.dataDisks').map(({ field }) => field);
  const paths = lists.flatMap((list) => [`forProvider.${list}`, `initProvider.${list}`]);
  const path = paths.find((one) => at(patch, 'spec', ...one.split('.')) !== undefined);
  return path === undefined ? undefined : { path, said: 'dataDisks says it' };
}
