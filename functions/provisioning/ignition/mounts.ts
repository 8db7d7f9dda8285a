/** Mounts as units, and their filesystems. */
import { posix } from 'node:path';
import type { Filesystem, Mount } from '#lib/api/fields/host.ts';
import type { Customisation } from '#lib/api/fields/customisation.ts';
import { refusalFor } from '#lib/api/refusal.ts';
import { quoted } from '#lib/fn/quoted.ts';
import { dataDiskSteps, makingOnDataDisk } from '../filesystem.ts';
import type { Step } from '../script.ts';
import type { IgnitionFilesystem, IgnitionUnit } from './config.ts';
import { unitNameOf } from './unit-name.ts';

type Mounted = Pick<Customisation, 'mounts' | 'dataDisks'>;

/** Those of data disks are enabled by the script: a boot that waited for one would time out before it is attached. */
export function mountUnits({ mounts, dataDisks }: Mounted): readonly IgnitionUnit[] {
  return mounts.map((mount) => ({
    name: unitNameOf(mount.path, 'mount'),
    ...(isOnDataDisk(mount, dataDisks) ? {} : { enabled: true }),
    contents: unitText(mount),
  }));
}

export function isOnDataDisk({ device }: Mount, disks: Mounted['dataDisks']): boolean {
  return disks.some(({ label }) => device === `LABEL=${label}`);
}

/** Filesystems of data disks and their mounts, before anything else of the script. */
export function dataDiskMountSteps({ mounts, dataDisks }: Mounted): readonly Step[] {
  return [
    ...dataDisks.map((disk) => ({ field: `data disk ${disk.name}`, command: makingOnDataDisk(disk) })),
    ...dataDiskSteps(dataDisks),
    ...mounts
      .filter((mount) => isOnDataDisk(mount, dataDisks))
      .map(({ path }) => ({
        field: `mount ${posix.normalize(path)}`,
        command: `systemctl daemon-reload\nsystemctl enable --now ${quoted(unitNameOf(path, 'mount'))}\nmountpoint -q ${quoted(path)}`,
      })),
  ];
}

/** Whether the host boots without it, as in /etc/fstab. */
export function isOptional({ options }: Mount): boolean {
  return options.includes('nofail');
}

function unitText(mount: Mount): string {
  const { format, options } = mount;
  const said = options.filter((option) => option !== 'nofail' && option !== 'defaults');
  return [
    '[Unit]',
    'Before=local-fs.target',
    '',
    '[Mount]',
    `What=${deviceOf(mount.device)}`,
    `Where=${posix.normalize(mount.path)}`,
    ...(format === 'auto' ? [] : [`Type=${format}`]),
    ...(said.length === 0 ? [] : [`Options=${said.join(',')}`]),
    '',
    '[Install]',
    isOptional(mount) ? 'WantedBy=local-fs.target' : 'RequiredBy=local-fs.target',
    '',
  ].join('\n');
}

/** Units wait for devices, not for labels; udev has a device name for each label. */
function deviceOf(device: string): string {
  const [tag = '', value] = device.split('=');
  return value === undefined ? device : `/dev/disk/by-${tag.toLowerCase()}/${value}`;
}

/** Filesystems; a mounted one gets its path, so that files below it are written into it. */
export function filesystemsOf({ filesystems, mounts }: Customisation): readonly IgnitionFilesystem[] {
  return filesystems.map((filesystem) => {
    const { device, format, label, options, wipe } = filesystem;
    const mount = mountOf(filesystem, mounts);
    return {
      device,
      ...(mount === undefined ? {} : { path: posix.normalize(mount.path) }),
      format,
      ...(label === undefined ? {} : { label }),
      ...(options === undefined ? {} : { options }),
      ...(wipe ? { wipeFilesystem: true } : {}),
    };
  });
}

function mountOf({ device, label }: Filesystem, mounts: readonly Mount[]): Mount | undefined {
  return mounts.find((mount) => mount.device === device || (label !== undefined && mount.device === `LABEL=${label}`));
}

/** Throws Unsupported for a file that the mount would hide, because Ignition writes files before mounting. */
export function refuseHidden(
  files: readonly { readonly path: string }[],
  mounts: readonly Mount[],
  reached: readonly IgnitionFilesystem[],
  owner: string,
): void {
  const hiding = mounts
    .map(({ path }) => posix.normalize(path))
    .filter((path) => !reached.some((filesystem) => filesystem.path === path));
  for (const { path } of files) {
    const over = hiding.find((mount) => posix.normalize(path).startsWith(`${mount}/`));
    if (over === undefined) continue;
    throw refusalFor(
      owner,
      'spec.provisioning.files',
      `ignition writes ${JSON.stringify(path)} before ${JSON.stringify(over)} is mounted; accepted: commands.pre, or a mount whose device is one of filesystems`,
      'Unsupported',
    );
  }
}
