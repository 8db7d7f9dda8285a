/**
 * Partitions and filesystems for cloud-init, by commands right before it mounts: its own modules know neither sizes nor
 * names of partitions, format what udev did not see yet, do not wait for a disk, and take a dot in a device for a number.
 */
import type { Disk, Filesystem } from '#lib/api/fields/host.ts';
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { awaited, making, makingOnDataDisk } from '../filesystem.ts';

type Disks = Pick<Customisation, 'disks' | 'filesystems' | 'dataDisks'>;
type Partition = Disk['partitions'][number];

const LINUX = '0FC63DAF-8483-4772-8E79-3D69D8477DE4';

/** Commands of `bootcmd`, which runs on every boot; each of these only until it succeeded. */
export function diskCommands({ disks, filesystems, dataDisks }: Disks): readonly (readonly string[])[] {
  return [
    ...disks.map((disk, index) => once(`disk_${index}`, partitioning(disk))),
    ...filesystems.map((filesystem, index) => once(`filesystem_${index}`, formatting(filesystem))),
    ...dataDisks.map((disk) => once(`data_disk_${disk.name}`, makingOnDataDisk(disk))),
  ];
}

function once(name: string, script: string): readonly string[] {
  return ['cloud-init-per', 'instance', `slipway_${name}`, 'sh', '-ec', script];
}

function formatting({ device, ...filesystem }: Filesystem): string {
  return [...awaited(device), ...making(filesystem)].join('\n');
}

/** A disk with anything on it is kept, unless the claim wipes it. */
function partitioning({ device, wipe, partitions }: Disk): string {
  const table = ['label: gpt', ...partitions.map(tableLine)].join('\\n');
  return [
    ...awaited(device),
    // 2: nothing was found.
    ...(wipe ? [] : ['found=0', 'blkid -p "$d" >/dev/null || found=$?', '[ "$found" = 2 ] || exit 0']),
    `printf '${table}\\n' | sfdisk --quiet --wipe always --wipe-partitions always "$d"`,
    'udevadm settle',
  ].join('\n');
}

/** Without a size it is the rest of the disk. */
function tableLine({ label, sizeMiB }: Partition): string {
  const size = sizeMiB === undefined ? [] : [`size=${sizeMiB}MiB`];
  const name = label === undefined ? [] : [`name=${label}`];
  return [`type=${LINUX}`, ...size, ...name].join(', ');
}
