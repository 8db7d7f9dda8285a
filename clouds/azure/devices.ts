/** How a machine finds its data disks: by links that rules of udev make of their LUNs, which are in the order of the claim. */
import type { DataDiskDevices } from '#lib/cloud/fields.ts';

export function dataDisks(disks: readonly { readonly name: string }[]): DataDiskDevices {
  const links = disks.map((_, lun) => `/dev/disk/azure/scsi1/lun${lun}`);
  // The rules of newer images.
  const newer = disks.map((_, lun) => `/dev/disk/azure/data/by-lun/${lun}`);
  return {
    places: disks.map(({ name }, lun) => ({ name, links: [links[lun] ?? '', newer[lun] ?? ''] })),
    isOne: (device) => [...links, ...newer].includes(device.replace(/-part\d+$/, '')),
    said: `data disks on Azure are ${links.join(', ')}`,
  };
}
