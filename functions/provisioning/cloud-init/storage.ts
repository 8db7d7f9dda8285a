/**
 * Disks, filesystems, mounts and swap for cloud-init. It continues after an error in any of them, so the script checks
 * that they exist before it runs anything.
 */
import type { Filesystem, Mount } from '#lib/api/fields/host.ts';
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { quoted } from '#lib/fn/quoted.ts';
import type { Step } from '../script.ts';
import { diskSteps } from '../disk-checks.ts';
import { diskSetup } from './disks.ts';

type Storage = Pick<Customisation, 'disks' | 'filesystems' | 'mounts' | 'swap'>;

export function storageFields(storage: Storage): Readonly<Record<string, unknown>> {
  const { filesystems, mounts, swap } = storage;
  return {
    ...diskSetup(storage),
    ...(filesystems.length === 0 ? {} : { fs_setup: filesystems.map(filesystemEntry) }),
    ...(mounts.length === 0 ? {} : { mounts: mounts.map(mountEntry) }),
    ...(swap === undefined ? {} : { swap: { filename: swap.path, size: `${swap.sizeMiB}M` } }),
  };
}

/** "any" keeps an existing filesystem; "none" overwrites the device. */
function filesystemEntry({ device, format, label, options = [], wipe }: Filesystem): unknown {
  // cloud-init passes -L to all of them; for mkfs.vfat it is -n.
  const isFat = format === 'vfat' && label !== undefined;
  const words = [...(isFat ? ['-n', label] : []), ...options];
  return {
    device,
    filesystem: format,
    ...(label === undefined || isFat ? {} : { label }),
    ...(words.length === 0 ? {} : { extra_opts: words }),
    ...(wipe ? { partition: 'none', overwrite: true } : { partition: 'any', overwrite: false }),
  };
}

function mountEntry({ device, path, format, options }: Mount): readonly string[] {
  return [device, path, format, options.join(','), '0', '2'];
}

/** Checks before the first command, in the order of creation. */
export function storageSteps(storage: Storage): readonly Step[] {
  const { filesystems, mounts, swap } = storage;
  return [
    ...diskSteps(storage),
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
