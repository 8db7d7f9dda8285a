/** Azure limits roles by what they are for: tags give no rights there. */
import { expect, test } from 'vitest';
import { grantsOf } from './roles.ts';

const OF_CLUSTER = { group: 'its group', vault: 'its vault', controllerRoles: true, registries: ['a listed registry'] };
const granted = (role: 'control-plane' | 'node') =>
  grantsOf(role, OF_CLUSTER).map(({ role: name, scope }) => `${name}: ${scope}`);

test('a control plane has roles on the resource group and the vault of its cluster, and on listed registries', () => {
  expect(granted('control-plane')).toEqual([
    'Key Vault Secrets User: its vault',
    'AcrPull: a listed registry',
    'Virtual Machine Contributor: its group',
    'Network Contributor: its group',
    'Disk Snapshot Contributor: its group',
  ]);
});

test('a worker may only read: first-boot data of workers of its cluster, and images', () => {
  expect(granted('node')).toEqual(['Key Vault Secrets User: its vault', 'AcrPull: a listed registry']);
});
