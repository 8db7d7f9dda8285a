/**
 * Partitions for cloud-init. Its module makes one over the whole disk, and knows neither sizes nor names; disks with
 * them are partitioned right before it runs, once per machine.
 */
import type { Disk } from '#lib/api/fields/host.ts';
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { quoted } from '#lib/fn/quoted.ts';
import { isWhole } from '../disk-checks.ts';

type Disks = Pick<Customisation, 'disks'>;
type Partition = Disk['partitions'][number];

const LINUX = '0FC63DAF-8483-4772-8E79-3D69D8477DE4';

/** Commands of `bootcmd`, which runs before disks and filesystems are set up, on every boot. */
export function diskCommands({ disks }: Disks): readonly (readonly string[])[] {
  return disks.flatMap((disk, index) =>
    isWhole(disk) ? [] : [['cloud-init-per', 'instance', `slipway_disk_${index}`, 'sh', '-ec', partitioning(disk)]],
  );
}

export function diskSetup({ disks }: Disks): Readonly<Record<string, unknown>> {
  const whole = disks
    .filter(isWhole)
    .map(({ device, wipe }) => [device, { table_type: 'gpt', layout: true, overwrite: wipe }]);
  return whole.length === 0 ? {} : { disk_setup: Object.fromEntries(whole) as Readonly<Record<string, unknown>> };
}

/** A disk with anything on it is kept, unless the claim wipes it. */
function partitioning({ device, wipe, partitions }: Disk): string {
  const table = ['label: gpt', ...partitions.map(tableLine)].join('\\n');
  return [
    `d=${quoted(device)}`,
    'udevadm settle',
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
