/** How an instance finds its data disks: Nitro shows each as NVMe, whatever the name of its block is. */
import type { DataDiskDevices } from '#lib/cloud/fields.ts';

export const dataDisks = (): DataDiskDevices => ({
  isOne: (device) => /^\/dev\/nvme[1-9]\d*n1(p\d+)?$/.test(device) || device.startsWith(BY_VOLUME),
  said: 'data disks on AWS are /dev/nvme1n1 and so on, in no certain order; only instance types without Nitro, and images with links for it, have /dev/sdf',
});

const BY_VOLUME = '/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_';
