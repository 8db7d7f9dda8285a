/** Filesystems that a script makes, on disks that may come late. Nothing is made where anything is, however often it runs. */
import type { Filesystem } from '#lib/api/fields/host.ts';
import type { DataDiskFilesystem } from '#lib/api/fields/customisation.ts';
import { quoted } from '#lib/fn/quoted.ts';
import type { Step } from './script.ts';

/** Azure attaches data disks once the machine runs. */
const MINUTES = 10;

/** They ask, or refuse a whole disk, without it; what they make is only made on an empty one. */
const FORCE = { btrfs: '-f', ext4: '-F', vfat: '-I', xfs: '-f' } as const;

/** Lines that make it on $d. */
export function making({ format, label, options = [], wipe }: Omit<Filesystem, 'device'>): readonly string[] {
  const name = label === undefined ? [] : [format === 'vfat' ? '-n' : '-L', quoted(label)];
  return [
    ...(wipe ? ['wipefs -aq "$d"'] : []),
    // 2: nothing was found.
    'found="$(blkid -p -o value -s TYPE -s PTTYPE "$d")" || [ $? = 2 ]',
    `[ -z "$found" ] || { echo "slipway: $d is not empty, and kept:" $found >&2; exit 0; }`,
    [`mkfs.${format}`, FORCE[format], ...name, ...options.map(quoted), '"$d"'].join(' '),
    'udevadm settle',
  ];
}

/** Lines that set $d to a device, once it is there. */
export function awaited(device: string): readonly string[] {
  return [`d=${quoted(device)}`, 'udevadm settle', ...until('[ -e "$d" ]', '$d')];
}

/** Commands that make the filesystem of a data disk, once the disk is there. */
export function makingOnDataDisk(disk: DataDiskFilesystem): string {
  return [...finding(disk), ...making({ ...disk, wipe: false })].join('\n');
}

/** Whether a data disk has its filesystem. */
export function dataDiskSteps(disks: readonly DataDiskFilesystem[]): readonly Step[] {
  return disks.map(({ name, format, label }) => ({
    field: `data disk ${name}`,
    command: `[ "$(blkid -o value -s TYPE "$(blkid -c /dev/null -L ${quoted(label)})")" = ${format} ]`,
  }));
}

/**
 * Lines that set $d to a data disk: by a link of the cloud, or by its size, among disks that are empty, or have this
 * filesystem already.
 */
function finding({ name, label, links, model, sizeGiB }: DataDiskFilesystem): readonly string[] {
  const byLink = `for l in ${links.map(quoted).join(' ')}; do [ -n "$d" ] || [ ! -e "$l" ] || d="$l"; done`;
  const isSized = links.length === 0 || model !== undefined;
  const bytes = sizeGiB * 1024 ** 3;
  // A cloud makes the size that was asked for; of the disks of a host, the smallest one that is large enough.
  const size = model === undefined ? `-ge ${bytes}` : `-eq ${bytes}`;
  const pattern = model === undefined ? '*' : `${model.replaceAll(/[^A-Za-z0-9]+/g, '*')}*`;
  const pick = [
    'pick() {',
    'lsblk -bdnprx SIZE -o NAME,TYPE,RO,SIZE,MODEL | while read -r disk type ro size model; do',
    `case "$type $ro $model" in "disk 0 "${pattern}) ;; *) continue ;; esac`,
    `[ "$size" ${size} ] || continue`,
    'has="$(blkid -p -o value $1 "$disk")" || [ $? = 2 ] || continue',
    '[ "$has" != "$2" ] || { echo "$disk"; break; }',
    'done',
    '}',
  ];
  const bySize = [
    `[ -n "$d" ] || d="$(pick '-s LABEL' ${quoted(label)})"`,
    `[ -n "$d" ] || d="$(pick '-s TYPE -s PTTYPE' '')"`,
  ];
  const looking = [...(links.length === 0 ? [] : [byLink]), ...(isSized ? bySize : []), '[ -n "$d" ]'].join('\n');
  const asked = [...links, ...(isSized ? [`an empty disk of ${sizeGiB} GiB`] : [])].join(' or ');
  return [
    ...(isSized ? pick : []),
    'd=',
    'udevadm settle',
    `look() {\n${looking}\n}`,
    ...until('look', `data disk ${name}, ${asked},`),
  ];
}

function until(found: string, what: string): readonly string[] {
  return [
    'n=0',
    `until ${found}; do`,
    'n=$((n + 1))',
    `[ "$n" -le ${MINUTES * 12} ] || { echo "slipway: ${what} is not there after ${MINUTES} minutes" >&2; exit 1; }`,
    'sleep 5',
    'done',
  ];
}
