/**
 * Mounts and swap for cloud-init. It continues after an error in any of them, and in the commands that make disks and
 * filesystems, so the script checks that they exist before it runs anything.
 */
import type { Mount } from '#lib/api/fields/host.ts';
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { quoted } from '#lib/fn/quoted.ts';
import type { Step } from '../script.ts';
import { diskSteps } from '../disk-checks.ts';
import { dataDiskSteps } from '../filesystem.ts';

type Storage = Pick<Customisation, 'disks' | 'filesystems' | 'dataDisks' | 'mounts' | 'swap'>;

export function storageFields({ mounts, swap }: Storage): Readonly<Record<string, unknown>> {
  return {
    ...(mounts.length === 0 ? {} : { mounts: mounts.map(mountEntry) }),
    ...(swap === undefined ? {} : { swap: { filename: swap.path, size: `${swap.sizeMiB}M` } }),
  };
}

function mountEntry({ device, path, format, options }: Mount): readonly string[] {
  return [device, path, format, options.join(','), '0', '2'];
}

/** Checks before the first command, in the order of creation. */
export function storageSteps(storage: Storage): readonly Step[] {
  const { filesystems, dataDisks, mounts, swap } = storage;
  return [
    ...diskSteps(storage),
    ...filesystems.map(({ device, format, label }, index) => ({
      field: `filesystems[${index}]`,
      command: [holds(device, 'TYPE', format), ...(label === undefined ? [] : [holds(device, 'LABEL', label)])].join(
        '\n',
      ),
    })),
    ...dataDiskSteps(dataDisks),
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
