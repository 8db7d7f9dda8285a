/**
 * Filesystems and mounts: Talos creates a filesystem on a whole disk and mounts it at /var/mnt/<name>, both in one
 * document. It only formats empty disks.
 */
import type { Customisation } from '#lib/api/fields/customisation.ts';
import type { Order } from '../provisioner.ts';
import { type Document, document, cannotSay } from './document.ts';

const PLACE = /^\/var\/mnt\/([A-Za-z0-9-]{1,34})$/;
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  '1.13': ['ext4', 'xfs'],
  '1.14': ['btrfs', 'ext4', 'xfs'],
};

type Filesystem = Customisation['filesystems'][number];
type Mount = Customisation['mounts'][number];

export function volumeDocuments(order: Order<'talos'>): readonly Document[] {
  const { filesystems, mounts } = order.customisation;
  if (order.customisation.dataDisks.length > 0)
    throw cannotSay(order.owner, 'filesystems', order.plan.release, 'the device of a disk, such as /dev/nvme1n1');
  for (const [index, { device }] of mounts.entries())
    if (!filesystems.some((one) => one.device === device))
      throw cannotSay(order.owner, `mounts[${index}].device`, order.plan.release, 'a device of filesystems');
  return filesystems.map((filesystem, index) => {
    refuseFilesystem(filesystem, `filesystems[${index}]`, order);
    const own = mounts.filter(({ device }) => device === filesystem.device);
    const [mount] = own;
    if (mount === undefined || own.length > 1)
      throw cannotSay(order.owner, `filesystems[${index}].device`, order.plan.release, 'one mount of each filesystem');
    return document('UserVolumeConfig', {
      name: nameOf(mount, mounts.indexOf(mount), order),
      volumeType: 'disk',
      provisioning: { diskSelector: { match: `disk.dev_path == "${filesystem.device}"` } },
      filesystem: { type: filesystem.format },
    });
  });
}

function refuseFilesystem(
  { format, label, options, wipe }: Filesystem,
  field: string,
  { plan, owner }: Order<'talos'>,
): void {
  const formats = FORMATS[plan.release] ?? [];
  if (!formats.includes(format)) throw cannotSay(owner, `${field}.format`, plan.release, formats.join(', '));
  if (label !== undefined) throw cannotSay(owner, `${field}.label`, plan.release, 'none, since Talos gives its own');
  if (options !== undefined) throw cannotSay(owner, `${field}.options`, plan.release, 'none, since Talos chooses them');
  if (wipe) throw cannotSay(owner, `${field}.wipe`, plan.release, 'false, with an empty disk');
}

function nameOf(
  { path, options, format }: Mount,
  index: number,
  { plan, customisation, owner }: Order<'talos'>,
): string {
  const field = `mounts[${index}]`;
  const name = PLACE.exec(path)?.[1];
  if (name === undefined)
    throw cannotSay(owner, `${field}.path`, plan.release, '/var/mnt/<name> of letters, digits and -, at most 34');
  if (options.some((option) => option !== 'defaults'))
    throw cannotSay(owner, `${field}.options`, plan.release, 'defaults');
  const made = customisation.filesystems.find(({ device }) => device === customisation.mounts[index]?.device)?.format;
  if (format !== 'auto' && format !== made)
    throw cannotSay(owner, `${field}.format`, plan.release, `auto or ${made ?? 'that of its filesystem'}`);
  return name;
}
