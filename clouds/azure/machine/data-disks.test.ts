import { expect, test } from 'vitest';
import { at, type KubeObject } from '#lib/api/json.ts';
import { conditions, withStatus } from '../../../test/support/claims.ts';
import { machineOf, reply } from './machine.fixture.ts';

const claiming = (...names: readonly string[]): KubeObject =>
  machineOf({ machine: { class: 'standard-4', dataDisks: names.map((name) => ({ name, sizeGiB: 100 })) } });

test('the machine waits for its disks: one that were not there by then, it would never get', async () => {
  const machine = claiming('data', 'logs');
  const first = await reply(machine);
  expect([...first.resources.keys()]).not.toContain('instance');
  const disks = ['disk-data', 'disk-logs'].map(
    (key) => [key, first.resources.get(key)?.resource as KubeObject] as const,
  );
  expect(disks.map(([, disk]) => disk.kind)).toEqual(['ManagedDisk', 'ManagedDisk']);
  const ready = Object.fromEntries(disks.map(([key, disk]) => [key, withStatus(disk, conditions(true))]));
  const { 'disk-logs': _missing, ...one } = ready;
  expect([...(await reply(machine, one)).resources.keys()]).not.toContain('instance');
  expect([...(await reply(machine, ready)).resources.keys()]).toContain('instance');
});

test('no disk takes the place of what belongs to another, whatever they are called', async () => {
  const names = ['a', 'a-drain', 'drain', 'attached', 'attached-a'];
  const machine = claiming(...names);
  let observed: Readonly<Record<string, KubeObject>> = {};
  for (let calls = 0; calls < 5; calls += 1) {
    const { resources } = await reply(machine, observed);
    observed = Object.fromEntries(
      [...resources].map(([key, { resource }]) => [
        key,
        withStatus(resource, {
          ...conditions(true),
          ...(key === 'instance' ? { atProvider: { virtualMachineId: 'number-1' } } : {}),
        }),
      ]),
    );
  }
  const count = (kind: string): number => Object.values(observed).filter((object) => object.kind === kind).length;
  expect(count('ManagedDisk')).toBe(names.length);
  expect(count('VirtualMachineDataDiskAttachment')).toBe(names.length);
});

test('a disk is attached as Azure accepts it for every size and type', async () => {
  const machine = machineOf({
    machine: { class: 'standard-4', dataDisks: [{ name: 'data', sizeGiB: 8192, type: 'PremiumV2_LRS' }] },
  });
  const disks = await reply(machine);
  const disk = withStatus(disks.resources.get('disk-data')?.resource as KubeObject, conditions(true));
  const { resources } = await reply(machine, { 'disk-data': disk });
  const vm = { ...conditions(true), atProvider: { virtualMachineId: 'number-1' } };
  const instance = withStatus(resources.get('instance')?.resource as KubeObject, vm);
  const attached = (await reply(machine, { 'disk-data': disk, instance })).resources.get('attached-data')?.resource;
  expect(at(attached?.spec, 'forProvider', 'caching'), 'none from 4 TiB on, and none of some types').toBe('None');
});
