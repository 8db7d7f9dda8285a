/** Partitions made on a second disk by the real cloud-init and the real Ignition: the same, as the claim says. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { aBootstrappedCluster, firstBoot, machineOf } from '../support/first-boot.ts';
import { replacedIn } from '../support/ignition.ts';
import { OLD_IGNITION } from './build-old-ignition.ts';
import { cached, type Found } from './cache.ts';
import { IGNITION } from './debian.ts';
import { type Boot, firstBootOn, scratchRoot } from './scratch-host.ts';

const MIB = 1_048_576;
const DISK = '/dev/nvme1n1';
/** In the partition that is mounted there. */
const BELOW = '/var/lib/data/file';
const SWAP = '/swapfile';
const SENTINEL = '/var/lib/slipway/bootstrap-success.complete';

const root = scratchRoot();
const IGNITIONS = { ignition: cached(...IGNITION), 'ignition-2.3': cached(...OLD_IGNITION) };
const why = (...found: readonly Found[]): string =>
  found.flatMap((one) => ('missing' in one ? [one.missing] : []))[0] ?? '';
const missing = {
  'cloud-init': why(root),
  ignition: why(root, IGNITIONS.ignition),
  'ignition-2.3': why(root, IGNITIONS['ignition-2.3']),
};
for (const [format, reason] of Object.entries(missing))
  if (reason !== '') process.stdout.write(`skipped: partitions of ${format}: ${reason}\n`);

type Format = keyof typeof missing;

/** @param before  shell commands that make something on the disk before the first boot */
async function bootOf(format: Format, provisioning: JsonObject, before = '', after = ''): Promise<Boot> {
  const cluster = await aBootstrappedCluster({ initialized: true });
  const { text } = await firstBoot(cluster, machineOf('worker', { provisioning: { format, ...provisioning } }));
  const ignition = format === 'cloud-init' ? undefined : IGNITIONS[format];
  return firstBootOn({
    root: 'path' in root ? root.path : '',
    text: (disk) => (format === 'cloud-init' ? text.replaceAll(DISK, disk) : replacedIn(text, DISK, disk)),
    asked: [SENTINEL, BELOW, SWAP],
    secret: 'none',
    before,
    after,
    ...(ignition !== undefined && 'path' in ignition ? { ignition: ignition.path } : {}),
    ...(format === 'ignition-2.3' ? { specification: 2 } : {}),
  });
}

const ext4 = (number: number, label: string): JsonObject => ({ device: `${DISK}p${number}`, label });
const mount = (label: string, path: string): JsonObject => ({ device: `LABEL=${label}`, path, format: 'ext4' });

/** etcd apart from images, and the rest for everything else. */
const SEVERAL: JsonObject = {
  disks: [{ device: DISK, partitions: [{ label: 'members', sizeMiB: 32 }, { sizeMiB: 64 }, { label: 'data' }] }],
  filesystems: [ext4(1, 'members'), ext4(2, 'images'), ext4(3, 'data')],
  mounts: [mount('members', '/var/lib/etcd'), mount('data', '/var/lib/data')],
  swap: { path: SWAP, sizeMiB: 1 },
};
/** As a template of Cluster API says it: a filesystem on the disk itself, which has one partition. */
const ON_DISK: JsonObject = {
  disks: [{ device: DISK, partitions: [{ label: 'etcd_disk' }] }],
  filesystems: [{ device: DISK, label: 'etcd_disk', options: ['-I', '512', '-E', 'lazy_itable_init=1'] }],
  mounts: [mount('etcd_disk', '/var/lib/etcddisk')],
};
const INODES = 'tune2fs -l "$DISK"p1 | grep "^Inode size"';

/** The older Ignition writes files before anything is mounted, so such a claim is refused. */
const BELOW_MOUNT: JsonObject = { files: [{ path: BELOW, content: 'below a mount\n' }] };

const ONE = { device: DISK, partitions: [{ label: 'data', sizeMiB: 32 }] };
const there = (size: number, name: string): string =>
  `printf 'label: gpt\\nsize=${size}MiB, name=${name}\\n' | sfdisk -q $DISK; partx -u $DISK; mkfs.ext4 -q -L old "$DISK"p1`;

const FORMATS = Object.keys(missing) as Format[];

describe.for(FORMATS)('%s', (format) => {
  const isMissing = missing[format] !== '';
  const writes = format !== 'ignition-2.3';

  test.skipIf(isMissing)(
    'makes partitions, filesystems, mounts and swap as the claim says, and writes files below the mounts',
    async () => {
      const { partitions, files, output } = await bootOf(format, { ...SEVERAL, ...(writes ? BELOW_MOUNT : {}) });
      expect(files.has(SENTINEL), output).toBe(true);
      expect(partitions).toEqual([
        `1 ${32 * MIB} members ext4 members /var/lib/etcd`,
        `2 ${64 * MIB}  ext4 images`,
        expect.stringMatching(/^3 \d+ data ext4 data \/var\/lib\/data$/),
      ]);
      expect(files.get(BELOW)?.bytes.toString()).toBe(writes ? 'below a mount\n' : undefined);
      const { mode, bytes } = files.get(SWAP) ?? {};
      expect([mode, bytes?.length, String(bytes?.subarray(4086, 4096))]).toEqual(['600', MIB, 'SWAPSPACE2']);
    },
  );

  test.skipIf(isMissing)(
    'makes a filesystem on a disk in its only partition, with the options of the claim',
    async () => {
      const { partitions, files, output } = await bootOf(format, ON_DISK, '', INODES);
      expect(files.has(SENTINEL), output).toBe(true);
      expect(partitions).toEqual([expect.stringMatching(/^1 \d+ etcd_disk ext4 etcd_disk \/var\/lib\/etcddisk$/)]);
      expect(output).toMatch(/^Inode size:\s+512$/m);
    },
  );

  test.skipIf(isMissing)('keeps the filesystem that is in this partition, with what is on it', async () => {
    const before = `printf 'label: gpt\\nname=etcd_disk\\n' | sfdisk -q $DISK; partx -u $DISK
mkfs.ext4 -q -L etcd_disk "$DISK"p1; mount "$DISK"p1 /mnt; echo member >/mnt/kept; umount /mnt`;
    const { files, output } = await bootOf(format, ON_DISK, before, 'cat /var/lib/etcddisk/kept');
    expect(files.has(SENTINEL), output).toBe(true);
    expect(output).toMatch(/^member$/m);
  });

  test.skipIf(isMissing).for([
    { name: 'the same partition', before: there(32, 'data'), isNode: true },
    { name: 'a smaller one', before: there(16, 'data'), isNode: false },
    { name: 'one with another name', before: there(32, 'other'), isNode: false },
  ])('keeps $name that is on the disk, and the host becomes a node: $isNode', async ({ before, isNode }) => {
    const { partitions, files, status, output } = await bootOf(format, { disks: [ONE] }, before);
    expect(files.has(SENTINEL), output).toBe(isNode);
    expect(partitions.join()).toMatch(/ ext4 old$/);
    expect(status).toBe(isNode ? 'done' : 'error');
  });

  test.skipIf(isMissing)('overwrites the partitions on the disk if the claim says so', async () => {
    const { partitions, files, output } = await bootOf(format, { disks: [{ ...ONE, wipe: true }] }, there(16, 'other'));
    expect(files.has(SENTINEL), output).toBe(true);
    expect(partitions).toEqual([expect.stringContaining(`1 ${32 * MIB} data`)]);
  });
});

// Ignition looks at partitions alone.
test.skipIf(missing['cloud-init'] !== '')(
  'cloud-init keeps a filesystem without a partition, and says so',
  async () => {
    const { partitions, files, output } = await bootOf('cloud-init', { disks: [ONE] }, 'mkfs.ext4 -q $DISK');
    expect(output).toContain('slipway: disks[0] failed');
    expect([files.has(SENTINEL), partitions]).toEqual([false, []]);
  },
);
