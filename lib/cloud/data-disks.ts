/** Disks of a machine besides the one it boots from: they are made with it, and deleted with it. */
import { isManagedReady } from '#lib/api/conditions.ts';
import type { DataDisk } from '#lib/api/fields/machine-template.ts';
import type { Override } from '#lib/api/fields/infrastructure.ts';
import { at, type KubeObject } from '#lib/api/json.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { asDesired } from '#lib/fn/keep.ts';
import { type CloudFields, madeOf } from './fields.ts';
import type { Composed } from './kept-fields.ts';
import type { MachineSituation } from './machine.ts';
import type { Entry } from './managed.ts';

type Situation = Pick<MachineSituation, 'machine' | 'observed'>;

/** In the order of the claim, which is that of their devices. */
export function dataDisksOf({ machine }: Pick<Situation, 'machine'>): readonly DataDisk[] {
  return machine.spec.machine.dataDisks ?? [];
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

/** Throws InvalidClaim for the first override that would replace the whole list of disks of the claim. */
export function refuseOtherDisks(
  disks: readonly DataDisk[] | undefined,
  overrides: readonly Override[],
  cloud: CloudFields | undefined,
  owner: string,
): void {
  if (disks === undefined || disks.length === 0 || cloud === undefined) return;
  const fields = madeOf(cloud, 'spec.machine.dataDisks').map(({ field }) => field);
  for (const [index, { kind, patch }] of overrides.entries()) {
    const field = fields.find((one) => at(patch, 'spec', 'forProvider', one) !== undefined);
    if (field === undefined || kind !== cloud.kind.split('/')[1]) continue;
    const path = `spec.infrastructure.overrides[${index}].patch.spec.forProvider.${field}`;
    throw refusalFor(owner, path, 'is not accepted; accepted: nothing there, since spec.machine.dataDisks says it');
  }
}
