/** A platform's type of disks that the cloud cannot make is told as that of its input, before a machine is asked for. */
import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { Machine } from '#lib/api/kinds/machine.ts';
import { refuseDefaultDiskType } from '#lib/cloud/default-disk-type.ts';
import { aMachine } from '../test/support/claims.ts';
import { nativeNamesOf } from './native-names.ts';

interface Asked {
  readonly cloud: string;
  readonly type: string;
  readonly machine?: JsonObject;
  readonly overrides?: readonly JsonObject[];
}

const OWNER = 'Machine "team-a/general-0-aaaaa"';

function judged({ cloud, type, machine = {}, overrides = [] }: Asked): string {
  const spec = { machine: { class: 'standard-4', ...machine }, infrastructure: { overrides: [...overrides] } };
  const parsed = Machine.parse(aMachine({ spec }));
  try {
    refuseDefaultDiskType(
      { machine: parsed, owner: OWNER },
      { field: `${cloud}.diskType`, type },
      nativeNamesOf(cloud)!,
    );
    return 'accepted';
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

const INPUT = 'cannot accept MachineInput of the Composition:';
const IOPS = { kind: 'Instance', patch: { spec: { forProvider: { rootBlockDevice: { iops: 4000 } } } } };

test.for<readonly [string, Asked, string]>([
  [
    'AWS makes no volume of io2 without IOPS',
    { cloud: 'aws', type: 'io2' },
    `${INPUT} aws.diskType: "io2" is not accepted; accepted: gp2, gp3, standard, io2 with an override of spec.forProvider.rootBlockDevice.iops of Instance`,
  ],
  ['and makes one with them', { cloud: 'aws', type: 'io2', overrides: [IOPS] }, 'accepted'],
  [
    'AWS boots from no disk of st1',
    { cloud: 'aws', type: 'st1' },
    `${INPUT} aws.diskType: "st1" is not accepted; accepted: gp2, gp3, standard`,
  ],
  [
    'a claim that says its own type is not about that of the platform',
    { cloud: 'aws', type: 'st1', machine: { rootDisk: { type: 'gp3' } } },
    'accepted',
  ],
  [
    'but its other disks may be',
    {
      cloud: 'aws',
      type: 'io2',
      machine: { rootDisk: { type: 'gp3' }, dataDisks: [{ name: 'data', sizeGiB: 200 }] },
    },
    `${INPUT} aws.diskType: "io2" is not accepted; accepted: gp2, gp3, standard, sc1, st1`,
  ],
  [
    'Azure boots from no disk of UltraSSD_LRS',
    { cloud: 'azure', type: 'UltraSSD_LRS' },
    `${INPUT} azure.diskType: "UltraSSD_LRS" is not accepted; accepted: Premium_LRS, Premium_ZRS, StandardSSD_LRS, StandardSSD_ZRS, Standard_LRS`,
  ],
  [
    'GCP makes no small disk of pd-extreme, which the claim can change',
    { cloud: 'gcp', type: 'pd-extreme', machine: { rootDisk: { sizeGiB: 100 } } },
    `cannot accept ${OWNER}: spec.machine.rootDisk.sizeGiB: 100 is not accepted; accepted: at least 500 for type pd-extreme; gcp.diskType of MachineInput of the Composition is pd-extreme`,
  ],
  ['and makes a large one', { cloud: 'gcp', type: 'pd-extreme', machine: { rootDisk: { sizeGiB: 500 } } }, 'accepted'],
  ['a type that is not known is one of the cloud', { cloud: 'aws', type: 'gp9' }, 'accepted'],
])('%s', ([, asked, line]) => {
  expect(judged(asked)).toBe(line);
});
