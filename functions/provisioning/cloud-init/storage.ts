/**
 * Disks, filesystems, mounts and swap for cloud-init. It continues after an error in any of them, so the script checks
 * that they exist before it runs anything.
 */
import type { Disk, Filesystem, Mount } from '#lib/api/fields/host.ts';
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { quoted } from '#lib/fn/quoted.ts';
import { cannotExpress } from '#lib/cloud/expressible.ts';
import type { Step } from '../script.ts';

type Storage = Pick<Customisation, 'disks' | 'filesystems' | 'mounts' | 'swap'>;

/** Throws Unsupported for what its partition table cannot express. */
export function storageFields(
  { disks, filesystems, mounts, swap }: Storage,
  owner: string,
): Readonly<Record<string, unknown>> {
  disks.forEach((disk, index) => refuseParts(disk, `spec.provisioning.disks[${index}]`, owner));
  return {
    ...(disks.length === 0 ? {} : { disk_setup: Object.fromEntries(disks.map(diskEntry)) }),
    ...(filesystems.length === 0 ? {} : { fs_setup: filesystems.map(filesystemEntry) }),
    ...(mounts.length === 0 ? {} : { mounts: mounts.map(mountEntry) }),
    ...(swap === undefined ? {} : { swap: { filename: swap.path, size: `${swap.sizeMiB}M` } }),
  };
}

function refuseParts({ partitions }: Disk, field: string, owner: string): void {
  const unsaid = (at: string, instead: string) => cannotExpress('cloud-init', owner, `${field}.${at}`, instead);
  const percentages = 'one partition of the whole disk, or percentages in raw.cloud-init.disk_setup';
  partitions.forEach(({ label, sizeMiB }, index) => {
    if (sizeMiB !== undefined) throw unsaid(`partitions[${index}].sizeMiB`, percentages);
    if (label !== undefined) throw unsaid(`partitions[${index}].label`, 'the label of its filesystem');
  });
  if (partitions.length > 1) throw unsaid('partitions[1]', percentages);
}

function diskEntry({ device, wipe }: Disk): readonly [string, unknown] {
  return [device, { table_type: 'gpt', layout: true, overwrite: wipe }];
}

/** "any" keeps an existing filesystem; "none" overwrites the device. */
function filesystemEntry({ device, format, label, wipe }: Filesystem): unknown {
  return {
    device,
    filesystem: format,
    ...labelOf(format, label),
    ...(wipe ? { partition: 'none', overwrite: true } : { partition: 'any', overwrite: false }),
  };
}

/** cloud-init passes -L to all of them; for mkfs.vfat it is -n. */
function labelOf(format: Filesystem['format'], label: string | undefined): Readonly<Record<string, unknown>> {
  if (label === undefined) return {};
  return format === 'vfat' ? { extra_opts: ['-n', label] } : { label };
}

function mountEntry({ device, path, format, options }: Mount): readonly string[] {
  return [device, path, format, options.join(','), '0', '2'];
}

/** Checks before the first command, in the order of creation. */
export function storageSteps({ disks, filesystems, mounts, swap }: Storage): readonly Step[] {
  return [
    ...disks.map(({ device }, index) => ({
      field: `disks[${index}]`,
      command: `lsblk -nro TYPE ${quoted(device)} | grep -qx part`,
    })),
    ...filesystems.map(({ device, format, label }, index) => ({
      field: `filesystems[${index}]`,
      command: [holds(device, 'TYPE', format), ...(label === undefined ? [] : [holds(device, 'LABEL', label)])].join(
        '\n',
      ),
    })),
    // A host boots without mounts that may fail.
    ...mounts.flatMap(({ path, options }, index) =>
      options.includes('nofail') ? [] : [{ field: `mounts[${index}]`, command: `mountpoint -q ${quoted(path)}` }],
    ),
    ...(swap === undefined
      ? []
      : [{ field: 'swap', command: `swapon --show=NAME --noheadings | grep -qx ${quoted(swap.path)}` }]),
  ];
}

function holds(device: string, tag: string, value: string): string {
  return `[ "$(blkid -o value -s ${tag} ${quoted(device)})" = ${quoted(value)} ]`;
}
