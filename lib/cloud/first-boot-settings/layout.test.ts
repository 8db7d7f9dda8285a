/** Where a filesystem and a mount of a claim are, however the disk is named, and layouts that no host could make. */
import { describe, expect, test } from 'vitest';
import { Provisioning } from '#lib/api/fields/provisioning.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { dataDisksApart, inPartitions, partitionOf, refuseOtherDisks } from './layout.ts';
import { refuseHostSettings } from './settings.ts';

const DISKS = [
  { disk: '/dev/sdb', first: '/dev/sdb1', wrong: '/dev/sdbp1' },
  { disk: '/dev/nvme1n1', first: '/dev/nvme1n1p1', wrong: '/dev/nvme1n11' },
  { disk: '/dev/mmcblk0', first: '/dev/mmcblk0p1', wrong: '/dev/mmcblk01' },
  {
    disk: '/dev/disk/azure/scsi1/lun0',
    first: '/dev/disk/azure/scsi1/lun0-part1',
    wrong: '/dev/disk/azure/scsi1/lun0-part3',
  },
  {
    disk: '/dev/disk/by-id/google-etcd',
    first: '/dev/disk/by-id/google-etcd-part1',
    wrong: '/dev/disk/by-id/google-etcd-part9',
  },
] as const;

const judged = (settings: JsonObject): string => {
  try {
    refuseHostSettings(Provisioning.parse(settings), 'Cluster "a/b"');
    return 'accepted';
  } catch (error) {
    return (error as Error).message.replace('cannot accept Cluster "a/b": spec.provisioning.', '');
  }
};

describe.for(DISKS)('$disk', ({ disk, first, wrong }) => {
  const one = [{ device: disk, partitions: [{ label: 'data_disk' }] }];
  const two = [{ device: disk, partitions: [{ sizeMiB: 64 }, {}] }];
  const mount = (device: string) => ({ mounts: [{ device, path: '/var/lib/data' }] });

  test.for([disk, first])('with one partition, a filesystem and a mount on %s are in it', (device) => {
    const claimed = { disks: one, filesystems: [{ device, label: 'data_disk' }], ...mount(device) };
    expect(judged(claimed)).toBe('accepted');
    const { filesystems, mounts } = inPartitions(Provisioning.parse(claimed));
    expect([filesystems[0]?.device, mounts[0]?.device]).toEqual([first, first]);
  });

  test('with two, the claim has to say which', () => {
    const accepted = `accepted: ${first}, ${partitionOf(disk, 2)}, which disks makes`;
    expect(judged({ disks: two, filesystems: [{ device: disk }] })).toMatch(/^filesystems\[0\]\.device: /);
    expect(judged({ disks: two, filesystems: [{ device: disk }] })).toContain(accepted);
    expect(judged({ disks: two, ...mount(disk) })).toContain(accepted);
    expect(judged({ disks: two, filesystems: [{ device: first }, { device: partitionOf(disk, 2) }] })).toBe('accepted');
  });

  test('a partition by a name that it does not have is refused with the one that it has', () => {
    expect(judged({ disks: one, filesystems: [{ device: wrong }] })).toContain(`accepted: ${first}, which disks makes`);
    expect(judged({ disks: one, ...mount(wrong) })).toContain(`accepted: ${first}, which disks makes`);
  });

  test('without a partition table of the claim, the disk itself has the filesystem', () => {
    const claimed = Provisioning.parse({ filesystems: [{ device: disk }], ...mount(disk) });
    expect(inPartitions(claimed)).toEqual(claimed);
  });
});

test('the name of another disk that goes on like a partition is another disk', () => {
  const disks = [{ device: '/dev/disk/by-id/google-data', partitions: [{}] }];
  expect(judged({ disks, filesystems: [{ device: '/dev/disk/by-id/google-data1' }] })).toBe('accepted');
});

const on = (device: string, fields: JsonObject = {}) => ({ device, ...fields });

test.for([
  {
    settings: { disks: [on('/dev/sdb', { partitions: [{}] })], filesystems: [on('/dev/sdb'), on('/dev/sdb1')] },
    line: 'filesystems[1].device: "/dev/sdb1" is not accepted; accepted: each device once',
  },
  {
    settings: { filesystems: [on('/dev/sdb', { label: 'a' }), on('/dev/sdc', { label: 'a' })] },
    line: 'filesystems[1].label: "a" is not accepted; accepted: each label once',
  },
  {
    settings: { filesystems: [on('/dev/sdb', { format: 'vfat', label: 'twelve_chars' })] },
    line: 'filesystems[0].label: "twelve_chars" is not accepted; accepted: up to 11 characters with vfat',
  },
  {
    settings: { filesystems: [on('/dev/sdb', { format: 'xfs', label: 'thirteen_char' })] },
    line: 'filesystems[0].label: "thirteen_char" is not accepted; accepted: up to 12 characters with xfs',
  },
  {
    settings: {
      filesystems: [on('/dev/sdb', { label: 'a' })],
      mounts: [on('LABEL=a', { path: '/var/lib/a', format: 'xfs' })],
    },
    line: 'mounts[0].format: "xfs" is not accepted; accepted: ext4 or auto',
  },
  {
    settings: {
      disks: [on('/dev/sdb', { partitions: [{ label: 'a' }] })],
      filesystems: [on('/dev/sdb')],
      mounts: [on('LABEL=a', { path: '/var/lib/a' })],
    },
    line: 'mounts[0].device: "LABEL=a" is not accepted; accepted: PARTLABEL=a, or a filesystem with this label: only a partition has it',
  },
])('$line', ({ settings, line }) => {
  expect(judged(settings)).toBe(line);
});

describe('data disks by their names', () => {
  const CLAIM = {
    filesystems: [on('DATADISK=etcd'), on('/dev/sdb1', { label: 'other' }), on('DATADISK=logs', { label: 'a' })],
    mounts: [
      on('DATADISK=etcd', { path: '/var/lib/etcd-disk' }),
      on('LABEL=other', { path: '/srv' }),
      on('LABEL=a', { path: '/var/log/a' }),
    ],
  };

  test.for([
    { names: ['etcd', 'logs'], made: ['etcd etcd', 'logs a'], mounted: ['LABEL=etcd', 'LABEL=other', 'LABEL=a'] },
    { names: ['logs'], made: ['logs a'], mounted: ['LABEL=other', 'LABEL=a'] },
    { names: [], made: [], mounted: ['LABEL=other'] },
  ])('a machine with $names makes and mounts those alone', ({ names, made, mounted }) => {
    const { claimed, onDataDisks } = dataDisksApart(
      Provisioning.parse(CLAIM),
      names.map((name) => ({ name })),
    );
    expect([...onDataDisks].map(([name, { label }]) => `${name} ${label}`)).toEqual(made);
    expect(claimed.mounts.map(({ device }) => device)).toEqual(mounted);
    expect(claimed.filesystems.map(({ device }) => device)).toEqual(['/dev/sdb1']);
  });

  test('one that the claim does not have is refused with those that it has; those of a Cluster are not of a pool', () => {
    const disks = [{ name: 'etcd' }, { name: 'log' }];
    const { filesystems } = Provisioning.parse(CLAIM);
    expect(() => refuseOtherDisks({ filesystems }, disks, 'Cluster "a/b"')).toThrow(
      'cannot accept Cluster "a/b": spec.provisioning.filesystems[2].device: "DATADISK=logs" is not accepted; accepted: DATADISK=etcd, DATADISK=log',
    );
    expect(() => refuseOtherDisks({ filesystems }, undefined, 'Cluster "a/b"')).toThrow(
      'accepted: a disk of machine.dataDisks, of which there is none',
    );
    expect(() => refuseOtherDisks({ filesystems }, [], 'NodePool "a/b"', 3)).not.toThrow();
  });

  test.for([
    {
      settings: { mounts: [on('DATADISK=etcd', { path: '/data' })] },
      line: 'mounts[0].device: "DATADISK=etcd" is not accepted; accepted: a data disk that is in filesystems, too',
    },
    {
      settings: { filesystems: [on('DATADISK=etcd', { wipe: true })] },
      line: 'filesystems[0].wipe: true is not accepted; accepted: false, since a data disk is empty',
    },
    {
      settings: { filesystems: [on('DATADISK=a-name-of-thirteen', { format: 'xfs' })] },
      line: 'filesystems[0].label: "a-name-of-thirteen" is not accepted; accepted: up to 12 characters with xfs',
    },
  ])('$line', ({ settings, line }) => {
    expect(judged(settings)).toBe(line);
  });
});

test.for([
  { format: 'ext4', label: 'sixteen_letters_' },
  { format: 'xfs', label: 'twelve_chars' },
  { format: 'btrfs', label: 'sixteen_letters_' },
])('a label as long as $format permits is accepted', (filesystem) => {
  expect(judged({ filesystems: [{ device: '/dev/sdb', ...filesystem }] })).toBe('accepted');
});
