/**
 * etcd on a data disk of its own, as docs/machine-options.md claims it: the same claim for every cloud, run by the real
 * cloud-init and the real Ignition. The disk is a loop device, which has the link, or the size, that a cloud gives it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { JsonObject } from '#lib/api/json.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { aBootstrappedCluster, firstBoot, machineOf } from '../support/first-boot.ts';
import { INFRASTRUCTURE } from '../support/claims.ts';
import { replacedIn } from '../support/ignition.ts';
import { OLD_IGNITION } from './build-old-ignition.ts';
import { cached, type Found } from './cache.ts';
import { IGNITION } from './debian.ts';
import { type Boot, firstBootOn, scratchRoot } from './scratch-host.ts';

const SENTINEL = '/var/lib/slipway/bootstrap-success.complete';
const TOLD = '/root/kubeadm-was-told';

const root = scratchRoot();
const IGNITIONS = { ignition: cached(...IGNITION), 'ignition-2.3': cached(...OLD_IGNITION) };
const why = (...found: readonly Found[]): string =>
  found.flatMap((one) => ('missing' in one ? [one.missing] : []))[0] ?? '';
const missing = {
  'cloud-init': why(root),
  ignition: why(root, IGNITIONS.ignition),
  'ignition-2.3': why(root, IGNITIONS['ignition-2.3']),
};
type Format = keyof typeof missing;
const FORMATS = (Object.keys(missing) as Format[]).filter((format) => missing[format] === '');
for (const [format, reason] of Object.entries(missing))
  if (reason !== '') process.stdout.write(`skipped: data disks with ${format}: ${reason}\n`);

const [document] = parseAllDocuments(
  readFileSync(join(import.meta.dirname, '../../docs/etcd-disk/cluster.yaml'), 'utf8'),
);
const CLAIM = Cluster.parse(document?.toJS());
const { dataDisks = [] } = CLAIM.spec.controlPlane.machine;
const GIB = dataDisks[0]?.sizeGiB ?? 0;

interface Place {
  readonly cloud: string;
  /** A link that the cloud gives the disk; left out: the size tells it. */
  readonly link?: string;
  readonly model?: string;
}

const CLOUDS: readonly Place[] = [
  { cloud: 'aws', model: String.raw`Amazon\x20Elastic\x20Block\x20Store` },
  { cloud: 'azure', link: '/dev/disk/azure/scsi1/lun0' },
  { cloud: 'gcp', link: '/dev/disk/by-id/google-etcd' },
  { cloud: 'existing' },
];

interface Told {
  readonly before?: string;
  readonly gibibytes?: number;
  readonly provisioning?: JsonObject;
  readonly kind?: 'init' | 'worker';
}

/** The link is made when udev would make it. */
const LATE = '/run/disk-of-the-cloud';

async function bootOf(format: Format, { cloud, link, model }: Place, told: Told = {}): Promise<Boot> {
  const { before = '', gibibytes = GIB, kind = 'init' } = told;
  const infrastructure = { ...INFRASTRUCTURE, cloud };
  const cluster = await aBootstrappedCluster({ infrastructure, initialized: kind !== 'init' });
  const { machine, ...spec } = { machine: CLAIM.spec.controlPlane.machine, ...CLAIM.spec };
  const { zones: _zones, ...shape } = machine;
  const provisioning = { ...spec.provisioning, ...told.provisioning, format } as unknown as JsonObject;
  const { dataDisks: _disks, ...bare } = shape;
  const { text } = await firstBoot(
    cluster,
    machineOf(
      kind,
      { machine: (kind === 'init' ? shape : bare) as unknown as JsonObject, provisioning },
      kind === 'init' ? (spec.bootstrap.config as JsonObject) : {},
    ),
  );
  const ignition = format === 'cloud-init' ? undefined : IGNITIONS[format];
  const linked = (given: string): string => {
    if (link === undefined) return given;
    return format === 'cloud-init' ? given.replaceAll(link, LATE) : replacedIn(given, link, LATE);
  };
  return firstBootOn({
    root: 'path' in root ? root.path : '',
    text: () => linked(text),
    asked: [SENTINEL, TOLD],
    secret: 'none',
    before,
    gibibytes,
    ...(model === undefined ? {} : { model }),
    ...(ignition !== undefined && 'path' in ignition ? { ignition: ignition.path } : {}),
    ...(format === 'ignition-2.3' ? { specification: 2 } : {}),
  });
}

const ATTACHED = `ln -s "$DISK" ${LATE}`;
/** Attached while the first boot waits for it. */
const LATER = `(sleep 8; ${ATTACHED}) >/dev/null 2>&1 &`;
const MADE = ['etcd', 'ext4', '/var/lib/etcd-disk'];
/** A first boot does not wait ten minutes here. */
const IMPATIENT = `printf '#!/bin/sh\\n' >/opt/stand-ins/sleep; chmod 755 /opt/stand-ins/sleep`;

describe.for(FORMATS)('%s', (format) => {
  test.for(CLOUDS)('$cloud: the disk has a filesystem, is mounted, and kubeadm keeps etcd there', async (place) => {
    const boot = await bootOf(format, place, { before: place.link === undefined ? '' : LATER });
    expect(boot.files.has(SENTINEL), boot.output).toBe(true);
    expect(boot.whole.toSorted()).toEqual(MADE.toSorted());
    expect(String(boot.files.get(TOLD)?.bytes)).toContain('dataDir: /var/lib/etcd-disk/etcd');
  });

  test('a disk that never comes ends the first boot with the places where it was looked for', async () => {
    const boot = await bootOf(format, CLOUDS[1]!, { before: IMPATIENT });
    expect(boot.output).toContain(`slipway: data disk etcd, ${LATE} or /dev/disk/azure/data/by-lun/0, is not there`);
    expect(boot.output).toContain('slipway: data disk etcd failed with exit code 1');
    expect([boot.files.has(SENTINEL), boot.whole]).toEqual([false, []]);
  });

  test('what is on the disk stays, and its own filesystem is mounted again', async () => {
    const before = `mkfs.ext4 -q -L etcd $DISK; mount $DISK /mnt; mkdir /mnt/etcd; umount /mnt; blkid -s UUID $DISK; ${ATTACHED}`;
    const boot = await bootOf(format, CLOUDS[2]!, {
      before,
      provisioning: { commands: { pre: ['ls -d /var/lib/etcd-disk/etcd'] } },
    });
    expect(boot.files.has(SENTINEL), boot.output).toBe(true);
    expect(boot.whole.toSorted()).toEqual(MADE.toSorted());
  });

  test('a disk with other data is kept, and the host becomes no node', async () => {
    const boot = await bootOf(format, CLOUDS[2]!, { before: `mkfs.ext4 -q -L other $DISK; ${ATTACHED}` });
    expect(boot.output).toMatch(/slipway: \S+ is not empty, and kept: ext4/);
    expect([boot.files.has(SENTINEL), boot.whole]).toEqual([false, ['other', 'ext4']]);
  });

  test('of a host, a disk that is too small or not empty is not taken', async () => {
    const small = await bootOf(format, CLOUDS[3]!, { before: IMPATIENT, gibibytes: GIB - 1 });
    expect([small.files.has(SENTINEL), small.whole]).toEqual([false, []]);
    expect(small.output).toContain(`slipway: data disk etcd, an empty disk of ${GIB} GiB, is not there`);
  });

  test('a worker of the same cluster, which has no such disk, becomes a node without it', async () => {
    const boot = await bootOf(format, CLOUDS[1]!, { kind: 'worker' });
    expect([boot.files.has(SENTINEL), boot.whole], boot.output).toEqual([true, []]);
  });
});
