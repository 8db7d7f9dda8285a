/** The type of disks whose claim says none: a platform may have chosen one that the cloud cannot make. */
import { refusal } from '#lib/api/refusal.ts';
import { diskFault, type DiskPlace } from './disk-types.ts';
import { INPUT_NAME } from './machine-input.ts';
import type { MachineSituation } from './machine.ts';
import type { NativeNames } from './native-names.ts';

export interface DefaultDiskType {
  /** Of the input, with its section. */
  readonly field: string;
  readonly type: string;
}

/** Throws InvalidInput for the type, and InvalidClaim for a size that no disk of it has. Only before creation. */
export function refuseDefaultDiskType(
  { machine, owner }: Pick<MachineSituation, 'machine' | 'owner'>,
  { field, type }: DefaultDiskType,
  { diskTypes }: NativeNames,
): void {
  if (diskTypes === undefined) return;
  const { overrides } = machine.spec.infrastructure;
  const { rootDisk, dataDisks = [] } = machine.spec.machine;
  const disks = [
    { disk: rootDisk, place: 'root', at: 'rootDisk' },
    ...dataDisks.map((disk, index) => ({ disk, place: 'data', at: `dataDisks[${index}]` }) as const),
  ] as const satisfies readonly { readonly place: DiskPlace; readonly [key: string]: unknown }[];
  for (const { disk, place, at } of disks) {
    if (disk.type !== undefined) continue;
    const fault = diskFault({ type, sizeGiB: disk.sizeGiB }, place, diskTypes, overrides, () => true);
    if (fault?.field === 'type') throw refusal(INPUT_NAME, field, type, fault.accepted, 'InvalidInput');
    if (fault !== undefined)
      throw refusal(
        owner,
        `spec.machine.${at}.sizeGiB`,
        disk.sizeGiB,
        `${fault.accepted}; ${field} of ${INPUT_NAME} is ${type}`,
      );
  }
}
