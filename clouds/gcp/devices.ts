/** How an instance finds its data disks: by links with their names, which the rules of udev of its image make. */
import type { DataDiskDevices } from '#lib/cloud/fields.ts';

export function dataDisks(disks: readonly { readonly name: string }[]): DataDiskDevices {
  const links = disks.map(({ name }) => `/dev/disk/by-id/google-${name}`);
  return {
    // The second one is of systemd.
    places: disks.map(({ name }, index) => ({
      name,
      links: [links[index] ?? '', `/dev/disk/by-id/scsi-0Google_PersistentDisk_${name}`],
    })),
    isOne: (device) => links.includes(device.replace(/-part\d+$/, '')),
    said: `data disks on GCP are ${links.join(', ')}`,
  };
}
