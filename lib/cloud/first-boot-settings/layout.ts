/**
 * Disks, filesystems and mounts of a claim as one layout. As in Cluster API, a filesystem on a disk that the claim gives
 * one partition is in this partition.
 */
import { dataDiskIn } from '#lib/api/fields/host.ts';
import type { DataDisk } from '#lib/api/fields/machine-template.ts';
import type { Claimed } from '#lib/api/fields/provisioning.ts';
import { withValue } from '#lib/api/issues.ts';
import { refusalFor } from '#lib/api/refusal.ts';

type Layout = Pick<Claimed, 'disks' | 'filesystems' | 'mounts'>;
type Filesystem = Layout['filesystems'][number];

/** The name that Linux gives a partition; links of udev have another end. */
export function partitionOf(device: string, number: number): string {
  if (device.startsWith('/dev/disk/')) return `${device}-part${number}`;
  return `${device}${/\d$/.test(device) ? 'p' : ''}${number}`;
}

/** The same claim, whose filesystems and mounts name partitions. */
export function inPartitions<Some extends Layout>(claimed: Some): Some {
  const { disks, filesystems, mounts } = claimed;
  const placed = <One extends { readonly device: string }>(one: One): One =>
    disks.some(({ device }) => device === one.device) ? { ...one, device: partitionOf(one.device, 1) } : one;
  return { ...claimed, filesystems: filesystems.map(placed), mounts: mounts.map(placed) };
}

/** A filesystem on a data disk, whose label is the name of the disk unless the claim says another one. */
export type OnDataDisk = Filesystem & { readonly label: string };

interface Apart<Some> {
  /** Without them; their mounts are of the label. */
  readonly claimed: Some;
  /** By the name of the disk. */
  readonly onDataDisks: ReadonlyMap<string, OnDataDisk>;
}

/** Filesystems on data disks, apart from the others; those of disks that the machine does not have are left out. */
export function dataDisksApart<Some extends Layout>(
  claimed: Some,
  disks: readonly Pick<DataDisk, 'name'>[],
): Apart<Some> {
  const named = claimed.filesystems.flatMap((one) => {
    const name = dataDiskIn(one.device);
    return name === undefined ? [] : [[name, { ...one, label: one.label ?? name }] as const];
  });
  const isHere = (name: string): boolean => disks.some((disk) => disk.name === name);
  const mounts = claimed.mounts.flatMap((mount) => {
    const [name, made] =
      named.find(([of, { label }]) => dataDiskIn(mount.device) === of || mount.device === `LABEL=${label}`) ?? [];
    if (name === undefined) return [mount];
    return isHere(name) ? [{ ...mount, device: `LABEL=${made?.label}` }] : [];
  });
  const filesystems = claimed.filesystems.filter(({ device }) => dataDiskIn(device) === undefined);
  return {
    claimed: { ...claimed, filesystems, mounts },
    onDataDisks: new Map(named.filter(([name]) => isHere(name))),
  };
}

/**
 * Throws InvalidClaim for a filesystem on a data disk that the claim does not have: no machine would make it.
 * @param from  the first that its author wrote: earlier ones are those of the Cluster, for machines that have the disk
 */
export function refuseOtherDisks(
  { filesystems }: Pick<Layout, 'filesystems'>,
  disks: readonly Pick<DataDisk, 'name'>[] = [],
  owner: string,
  from = 0,
): void {
  const index = filesystems.findIndex(({ device }, at) => {
    const name = dataDiskIn(device);
    return at >= from && name !== undefined && !disks.some((disk) => disk.name === name);
  });
  if (index === -1) return;
  const names = disks.map(({ name }) => `DATADISK=${name}`).join(', ');
  const accepted = names === '' ? 'a disk of machine.dataDisks, of which there is none' : names;
  const reason = withValue(filesystems[index]?.device, `is not accepted; accepted: ${accepted}`);
  throw refusalFor(owner, `spec.provisioning.filesystems[${index}].device`, reason);
}

interface Fault {
  readonly field: string;
  readonly value: unknown;
  readonly rule: string;
}

/** What would fail on every first boot, or lose what another entry made. */
export function* layoutFaults(claimed: Layout): Generator<Fault> {
  const { filesystems, mounts } = claimed;
  for (const [list, entries] of Object.entries({ filesystems, mounts }))
    for (const [i, { device }] of entries.entries()) {
      const accepted = partitionsMeant(device, claimed.disks);
      if (accepted !== undefined)
        yield { field: `${list}[${i}].device`, value: device, rule: `is not accepted; accepted: ${accepted}` };
    }
  yield* filesystemFaults(inPartitions(claimed).filesystems);
  yield* mountFaults(inPartitions(claimed));
}

/** Undefined: the device is one that the claim makes, or none of a disk of the claim. */
function partitionsMeant(device: string, disks: Layout['disks']): string | undefined {
  const disk = disks.find((one) => one.device === device || isPartOf(device, one.device));
  if (disk === undefined) return undefined;
  const names = disk.partitions.map((_, index) => partitionOf(disk.device, index + 1));
  if (names.includes(device) || (device === disk.device && names.length === 1)) return undefined;
  return `${names.join(', ')}, which disks makes`;
}

/** Also by a name that no partition has, such as /dev/nvme1n11. The name of another disk may follow a link, too. */
function isPartOf(device: string, disk: string): boolean {
  if (!device.startsWith(disk)) return false;
  const end = device.slice(disk.length);
  return disk.startsWith('/dev/disk/') ? /^-part\d+$/.test(end) : /^p?[1-9]\d*$/.test(end);
}

/** Characters of a label that the program of each kind takes. */
const LONGEST = { btrfs: 255, ext4: 16, vfat: 11, xfs: 12 } as const;

function labelOf({ device, label = dataDiskIn(device) }: Filesystem): string | undefined {
  return label;
}

function* filesystemFaults(filesystems: Layout['filesystems']): Generator<Fault> {
  for (const [i, filesystem] of filesystems.entries()) {
    const { device, format, wipe } = filesystem;
    const label = labelOf(filesystem);
    const earlier = filesystems.slice(0, i);
    if (wipe && dataDiskIn(device) !== undefined)
      yield {
        field: `filesystems[${i}].wipe`,
        value: wipe,
        rule: 'is not accepted; accepted: false, since a data disk is empty',
      };
    if (earlier.some((other) => other.device === device))
      yield { field: `filesystems[${i}].device`, value: device, rule: 'is not accepted; accepted: each device once' };
    if (label === undefined) continue;
    const field = `filesystems[${i}].label`;
    if (label.length > LONGEST[format])
      yield {
        field,
        value: label,
        rule: `is not accepted; accepted: up to ${LONGEST[format]} characters with ${format}`,
      };
    if (earlier.some((other) => labelOf(other) === label))
      yield { field, value: label, rule: 'is not accepted; accepted: each label once' };
  }
}

function* mountFaults({ disks, filesystems, mounts }: Layout): Generator<Fault> {
  const names = new Set(disks.flatMap(({ partitions }) => partitions.flatMap(({ label }) => label ?? [])));
  for (const [i, { device, format }] of mounts.entries()) {
    const made = filesystems.find((one) => isOn(one, device));
    if (made !== undefined && format !== 'auto' && format !== made.format)
      yield { field: `mounts[${i}].format`, value: format, rule: `is not accepted; accepted: ${made.format} or auto` };
    if (made === undefined && dataDiskIn(device) !== undefined)
      yield {
        field: `mounts[${i}].device`,
        value: device,
        rule: 'is not accepted; accepted: a data disk that is in filesystems, too',
      };
    const label = /^LABEL=(.*)/.exec(device)?.[1];
    if (made === undefined && label !== undefined && names.has(label))
      yield {
        field: `mounts[${i}].device`,
        value: device,
        rule: `is not accepted; accepted: PARTLABEL=${label}, or a filesystem with this label: only a partition has it`,
      };
  }
}

function isOn(filesystem: Filesystem, mounted: string): boolean {
  const label = labelOf(filesystem);
  return mounted === filesystem.device || (label !== undefined && mounted === `LABEL=${label}`);
}
