/** How an instance finds its data disks: Nitro shows each as NVMe, whatever the name of its block is. */
import type { DataDiskDevices } from '#lib/cloud/fields.ts';

/** The names that AWS recommends for volumes of EBS, in the order of the claim. */
const LETTERS = 'fghijklm';

export function blockName(index: number): string {
  return `/dev/sd${LETTERS[index] ?? ''}`;
}

export const dataDisks = (disks: readonly { readonly name: string }[]): DataDiskDevices => ({
  isOne: (device) => /^\/dev\/nvme[1-9]\d*n1(p\d+)?$/.test(device) || device.startsWith(BY_VOLUME),
  places: disks.map(({ name }, index) => ({
    name,
    // Without Nitro, and with the rules of some images; elsewhere disks are told by their size.
    links: [blockName(index), blockName(index).replace('/sd', '/xvd')],
    model: 'Amazon Elastic Block Store',
  })),
  said: 'data disks on AWS are /dev/nvme1n1 and so on, in no certain order; only instance types without Nitro, and images with links for it, have /dev/sdf',
});

const BY_VOLUME = '/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_';
