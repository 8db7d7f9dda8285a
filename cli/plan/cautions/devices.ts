/** Devices that first boot formats or mounts, beside data disks that the cloud gives other devices. */
import { at, stringAt } from '#lib/api/json.ts';
import { describeObject } from '#lib/api/names.ts';
import { firstNames } from '#lib/api/shortened.ts';
import { cloudFieldsOf } from '#clouds/fields.ts';
import type { ClaimedMachines } from './claimed-machines.ts';

/** Undefined: there are no data disks, or each device is one. */
export function deviceCaution({ claim, cluster, machine, cloud }: ClaimedMachines): string | undefined {
  const disks = listAt(machine, 'dataDisks').map((disk) => ({ name: stringAt(disk, 'name') ?? '' }));
  const devices = cloudFieldsOf(cloud)?.dataDisks?.(disks);
  if (disks.length === 0 || devices === undefined) return undefined;
  const named = [...new Set([cluster, claim])].flatMap((one) => FIELDS.flatMap((field) => devicesIn(one?.spec, field)));
  const others = [...new Set(named)].filter((device) => isDisk(device) && !devices.isOne(device));
  if (others.length === 0) return undefined;
  return `${describeObject(claim)} formats or mounts ${firstNames(others, 3)}; ${devices.said}`;
}

const FIELDS = ['disks', 'filesystems', 'mounts'] as const;

function devicesIn(spec: unknown, field: (typeof FIELDS)[number]): readonly string[] {
  return listAt(at(spec, 'provisioning'), field).flatMap((one) => stringAt(one, 'device') ?? []);
}

function listAt(value: unknown, field: string): readonly unknown[] {
  const list: unknown = at(value, field);
  return Array.isArray(list) ? list : [];
}

/** By the name of a disk or of a place at the machine; others, such as labels and volume groups, are made on the host. */
function isDisk(device: string): boolean {
  return /^\/dev\/((sd|xvd|vd|hd|nvme)[a-z\d]+|disk\/(?!by-(label|uuid|part)).+)$/.test(device);
}
