/** What a cloud cannot make is refused at the claim, where a machine would fail for ever. */
import { describe, expect, test } from 'vitest';
import type { Override } from '#lib/api/fields/infrastructure.ts';
import { MachineTemplate } from '#lib/api/fields/machine-template.ts';
import type { JsonObject } from '#lib/api/json.ts';
import type { DiskPlace } from '#lib/cloud/disk-types.ts';
import { type Outside, outsideLimits } from '#lib/cloud/limits.ts';
import { nativeNamesOf } from './native-names.ts';

interface Asked {
  readonly cloud: string;
  readonly place: DiskPlace;
  readonly type?: string;
  readonly sizeGiB?: number;
  readonly diskTypes?: readonly string[];
  readonly overrides?: readonly Override[];
}

function outsideOf({ cloud, place, type, sizeGiB = 4096, diskTypes, overrides = [] }: Asked): readonly Outside[] {
  const disk: JsonObject = { sizeGiB, ...(type === undefined ? {} : { type }) };
  const disks = place === 'root' ? { rootDisk: disk } : { dataDisks: [{ name: 'a', ...disk }] };
  const machine = MachineTemplate.parse({ class: 'standard-4', ...disks });
  const limits = { encryptedDisks: false, ...(diskTypes === undefined ? {} : { diskTypes: [...diskTypes] }) };
  const names = nativeNamesOf(cloud);
  return outsideLimits(machine, limits, { classes: {}, images: {} }, names, overrides);
}

function judged(asked: Asked): readonly string[] {
  return outsideOf(asked).map(
    ({ field, value, accepted, limit = 'the release' }) =>
      `${field} ${typeof value === 'string' ? value : JSON.stringify(value)}: ${accepted} (${limit})`,
  );
}

const iops = (patch: JsonObject): Override => ({ kind: 'Instance', patch: { spec: { forProvider: patch } } });
const ultra = (value: boolean): Override => ({
  kind: 'LinuxVirtualMachine',
  patch: { spec: { forProvider: { additionalCapabilities: { ultraSsdEnabled: value } } } },
});

test.for<readonly [string, Asked, string]>([
  [
    'AWS makes no root disk of io2 without IOPS',
    { cloud: 'aws', place: 'root', type: 'io2', sizeGiB: 40 },
    'rootDisk.type io2: gp2, gp3, standard, io2 with an override of spec.forProvider.rootBlockDevice.iops of Instance (the release)',
  ],
  [
    'also if an override says other things of the disk, and the platform allows the type',
    {
      cloud: 'aws',
      place: 'root',
      type: 'io1',
      sizeGiB: 40,
      diskTypes: ['gp3', 'io*'],
      overrides: [iops({ rootBlockDevice: { throughput: 250 } })],
    },
    'rootDisk.type io1: gp3, io1 with an override of spec.forProvider.rootBlockDevice.iops of Instance (the release)',
  ],
  [
    'no override can give IOPS to data disks of AWS',
    { cloud: 'aws', place: 'data', type: 'io2', overrides: [iops({ rootBlockDevice: { iops: 3000 } })] },
    'dataDisks[0].type io2: gp2, gp3, standard, sc1, st1 (the release)',
  ],
  [
    'AWS makes st1 from 125 GiB',
    { cloud: 'aws', place: 'data', type: 'st1', sizeGiB: 124 },
    'dataDisks[0].sizeGiB 124: at least 125 for type st1 (the release)',
  ],
  [
    'AWS makes magnetic volumes to 1 TiB',
    { cloud: 'aws', place: 'root', type: 'standard', sizeGiB: 1025 },
    'rootDisk.sizeGiB 1025: at most 1024 for type standard (the release)',
  ],
  [
    'no machine of AWS boots from st1, whatever the platform allows',
    { cloud: 'aws', place: 'root', type: 'st1', diskTypes: ['gp3', 'st1'] },
    'rootDisk.type st1: gp3 (the release)',
  ],
  [
    'a platform that allows only types for data leaves root disks the type of the Composition',
    { cloud: 'aws', place: 'root', type: 'st1', diskTypes: ['st1'] },
    'rootDisk.type st1: none, since no machine boots from those that limits.diskTypes allows (the release)',
  ],
  [
    'no machine of Azure boots from PremiumV2_LRS',
    { cloud: 'azure', place: 'root', type: 'PremiumV2_LRS', diskTypes: ['Premium*'] },
    'rootDisk.type PremiumV2_LRS: Premium_LRS, Premium_ZRS (the release)',
  ],
  [
    'Azure attaches UltraSSD_LRS only to machines that were made for it',
    { cloud: 'azure', place: 'data', type: 'UltraSSD_LRS', overrides: [ultra(false)] },
    'dataDisks[0].type UltraSSD_LRS: Premium_LRS, Premium_ZRS, StandardSSD_LRS, StandardSSD_ZRS, Standard_LRS, PremiumV2_LRS, UltraSSD_LRS with an override of spec.forProvider.additionalCapabilities.ultraSsdEnabled of LinuxVirtualMachine (the release)',
  ],
  [
    'no machine of GCP boots from hyperdisk-extreme',
    { cloud: 'gcp', place: 'root', type: 'hyperdisk-extreme' },
    'rootDisk.type hyperdisk-extreme: hyperdisk-balanced, pd-balanced, pd-extreme, pd-ssd, pd-standard (the release)',
  ],
  [
    'a disk of GCP in two zones is none of a machine',
    { cloud: 'gcp', place: 'data', type: 'hyperdisk-balanced-high-availability' },
    'dataDisks[0].type hyperdisk-balanced-high-availability: hyperdisk-balanced, pd-balanced, pd-extreme, pd-ssd, pd-standard, hyperdisk-extreme, hyperdisk-ml, hyperdisk-throughput (the release)',
  ],
  [
    'GCP makes hyperdisk-throughput from 2 TiB',
    { cloud: 'gcp', place: 'data', type: 'hyperdisk-throughput', sizeGiB: 2047 },
    'dataDisks[0].sizeGiB 2047: at least 2048 for type hyperdisk-throughput (the release)',
  ],
  [
    'GCP boots from no disk below 10 GiB, of any type',
    { cloud: 'gcp', place: 'root', sizeGiB: 9 },
    'rootDisk.sizeGiB 9: at least 10 (the release)',
  ],
  [
    'also of a type that is named',
    { cloud: 'gcp', place: 'root', type: 'pd-ssd', sizeGiB: 8 },
    'rootDisk.sizeGiB 8: at least 10 (the release)',
  ],
])('%s', ([, asked, want]) => {
  expect(judged(asked)).toEqual([want]);
});

test.for<readonly [string, Asked]>([
  [
    'io2 with IOPS from an override',
    { cloud: 'aws', place: 'root', type: 'io2', overrides: [iops({ rootBlockDevice: { iops: 3000 } })] },
  ],
  ['st1 of 125 GiB', { cloud: 'aws', place: 'data', type: 'st1', sizeGiB: 125 }],
  ['UltraSSD_LRS with its flag', { cloud: 'azure', place: 'data', type: 'UltraSSD_LRS', overrides: [ultra(true)] }],
  ['PremiumV2_LRS for data', { cloud: 'azure', place: 'data', type: 'PremiumV2_LRS' }],
  ['10 GiB on GCP', { cloud: 'gcp', place: 'root', sizeGiB: 10 }],
  ['8 GiB elsewhere', { cloud: 'aws', place: 'root', sizeGiB: 8 }],
  ['a type that only the platform knows', { cloud: 'aws', place: 'root', type: 'gp4', diskTypes: ['gp*'] }],
  ['any type on a cloud whose types are not known', { cloud: 'existing', place: 'root', type: 'st1' }],
])('accepted: %s', ([, asked]) => {
  expect(judged(asked)).toEqual([]);
});

describe.for(['aws', 'azure', 'gcp'])('on %s', (cloud) => {
  const types = nativeNamesOf(cloud)?.diskTypes;

  test.for(['root', 'data'] as const)('a message about a %s disk names only types that are accepted', (place) => {
    const names = Object.keys(types?.[place] ?? {});
    const plain = names.filter((type) => types?.[place][type]?.needs === undefined);
    expect(plain.length).toBeGreaterThan(0);
    const sizeOf = (type: string): number => types?.[place][type]?.largestGiB ?? 4096;
    expect(plain.flatMap((type) => judged({ cloud, place, type, sizeGiB: sizeOf(type) }))).toEqual([]);
  });

  const all = [...new Set([types?.root ?? {}, types?.data ?? {}].flatMap((known) => Object.keys(known)))];

  test.for(all)('%s is no typo of the types that a platform allows', (type) => {
    const diskTypes = all.filter((one) => one !== type);
    const found = (['root', 'data'] as const).flatMap((place) => outsideOf({ cloud, place, type, diskTypes }));
    expect(found).toHaveLength(2);
    expect(found.map(({ meant = '' }) => meant)).toEqual(['', '']);
  });

  test('a type that nobody has is told the one that was meant', () => {
    const type = all.find((one) => one.length > 6) ?? '';
    const found = outsideOf({ cloud, place: 'root', type: `${type}x`, diskTypes: ['gp3', type] });
    expect(found.map(({ meant }) => meant)).toEqual([`; did you mean "${type}"?`]);
  });
});
