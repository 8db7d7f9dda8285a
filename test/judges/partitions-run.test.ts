/** Partitions made by the real cloud-init on a second disk, as the claim says. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { aBootstrappedCluster, firstBoot, machineOf } from '../support/first-boot.ts';
import { type Boot, firstBootOn, scratchRoot } from './scratch-host.ts';

const MIB = 1_048_576;
const DISK = '/dev/nvme1n1';
const SENTINEL = '/var/lib/slipway/bootstrap-success.complete';

const root = scratchRoot();
if ('missing' in root) process.stdout.write(`skipped: partitions of cloud-init: ${root.missing}\n`);

/** @param before  shell commands that make something on the disk before the first boot */
async function bootOf(provisioning: JsonObject, before = ''): Promise<Boot> {
  const cluster = await aBootstrappedCluster({ initialized: true });
  const { text } = await firstBoot(cluster, machineOf('worker', { provisioning }));
  return firstBootOn({
    root: 'path' in root ? root.path : '',
    text: (disk) => text.replaceAll(DISK, disk),
    asked: [SENTINEL],
    secret: 'none',
    before,
  });
}

const ext4 = (number: number, label: string): JsonObject => ({ device: `${DISK}p${number}`, label });
const mount = (label: string, path: string): JsonObject => ({ device: `LABEL=${label}`, path, format: 'ext4' });

/** As many say it: etcd apart from images, and the rest for everything else. */
const SEVERAL: JsonObject = {
  disks: [{ device: DISK, partitions: [{ label: 'etcd', sizeMiB: 32 }, { sizeMiB: 64 }, { label: 'data' }] }],
  filesystems: [ext4(1, 'etcd'), ext4(2, 'images'), ext4(3, 'data')],
  mounts: [mount('etcd', '/var/lib/etcd'), mount('data', '/var/lib/data')],
};

describe.skipIf('missing' in root)('cloud-init', () => {
  test('makes partitions with their sizes and names, and filesystems in each', async () => {
    const { partitions, files, output } = await bootOf(SEVERAL);
    expect(files.has(SENTINEL), output).toBe(true);
    expect(partitions).toEqual([
      `1 ${32 * MIB} etcd ext4 etcd /var/lib/etcd`,
      `2 ${64 * MIB}  ext4 images`,
      expect.stringMatching(/^3 \d+ data ext4 data \/var\/lib\/data$/),
    ]);
  });

  const ONE: JsonObject = { disks: [{ device: DISK, partitions: [{ label: 'data', sizeMiB: 32 }] }] };
  const there = (size: number, name: string): string =>
    `printf 'label: gpt\\nsize=${size}MiB, name=${name}\\n' | sfdisk -q $DISK; partx -u $DISK; mkfs.ext4 -q -L old "$DISK"p1`;

  test.for([
    { name: 'the same partition', before: there(32, 'data'), isNode: true },
    { name: 'a smaller one', before: there(16, 'data'), isNode: false },
    { name: 'one with another name', before: there(32, 'other'), isNode: false },
    { name: 'a filesystem without a partition', before: 'mkfs.ext4 -q $DISK', isNode: false },
  ])('keeps $name that is on the disk, and the host becomes a node: $isNode', async ({ before, isNode }) => {
    const { partitions, files, output } = await bootOf(ONE, before);
    expect(files.has(SENTINEL), output).toBe(isNode);
    expect(partitions.join()).toMatch(before.startsWith('mkfs') ? /^$/ : / ext4 old$/);
    expect(output.includes('slipway: disks[0] failed')).toBe(!isNode);
  });

  test('overwrites what is on the disk if the claim says so', async () => {
    const [disk] = ONE['disks'] as JsonObject[];
    const { partitions, files, output } = await bootOf({ disks: [{ ...disk, wipe: true }] }, there(16, 'other'));
    expect(files.has(SENTINEL), output).toBe(true);
    expect(partitions).toEqual([`1 ${32 * MIB} data`]);
  });
});
