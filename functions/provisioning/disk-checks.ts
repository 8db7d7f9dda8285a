/** Whether a disk has the partitions of the claim: before the first command, for formats that keep others. */
import type { Disk } from '#lib/api/fields/host.ts';
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { quoted } from '#lib/fn/quoted.ts';
import type { Step } from './script.ts';

type Partition = Disk['partitions'][number];

const MIB = 1_048_576;

/** Also of a disk that was kept. */
export function diskSteps({ disks }: Pick<Customisation, 'disks'>): readonly Step[] {
  return disks.map((disk, index) => ({
    field: `disks[${index}]`,
    command: isWhole(disk)
      ? `lsblk -nro TYPE ${quoted(disk.device)} | grep -qx part`
      : disk.partitions.map((partition, at) => isThere(disk.device, partition, at + 1)).join('\n'),
  }));
}

/** One partition over the whole disk, which has no size and no name. */
export function isWhole({ partitions: [first, ...others] }: Disk): boolean {
  return others.length === 0 && first?.label === undefined && first?.sizeMiB === undefined;
}

function isThere(device: string, { label, sizeMiB }: Partition, number: number): string {
  const columns = [...(sizeMiB === undefined ? [] : ['SIZE']), ...(label === undefined ? [] : ['NAME'])].join(',');
  const wanted = [...(sizeMiB === undefined ? [] : [sizeMiB * MIB]), ...(label === undefined ? [] : [label])].join(' ');
  const asked = (names: string): string => `"$(partx -rgb -n ${number} -o ${names} ${quoted(device)})"`;
  return columns === '' ? `[ -n ${asked('NR')} ]` : `[ ${asked(columns)} = ${quoted(wanted)} ]`;
}
