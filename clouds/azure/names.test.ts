/** Names of Azure, whatever namespaces, clusters and machines are called. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DataDisk } from '#lib/api/fields/machine-template.ts';
import { LONGEST_NAME } from '#lib/api/kinds/claim-name.ts';
import { newClusterID } from '#lib/cloud/cluster-id.ts';
import { label, refusal } from '../../test/clouds/names.fixture.ts';
import { clusterID, machineName, nameIn, partName, secretName, vaultName } from './names.ts';

/** Names of claims may have dots, and 253 characters. */
const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,250}[a-z0-9])?$/);
const owner = fc.record({ namespace: label(63), name: label(LONGEST_NAME.Cluster), uid: fc.uuid() });

type Owner = Readonly<Record<'namespace' | 'name' | 'uid', string>>;
const idOf = (metadata: Owner): string =>
  clusterID(newClusterID({ apiVersion: 'v1', kind: 'Cluster', metadata }, undefined));

/** Composition resource names of kinds of the cluster step, the longest among them. */
const PARTS = [
  'subnet',
  'security-group',
  'machines-control-plane',
  'rule-nodeports',
  'rule-pods-ip-in-ip',
  'nat',
  'nat-address-15',
  'api-address',
  'api-lb',
  'api-pool',
  'api-health',
  'api-rule-konnectivity-agent',
];

const longestDisk = 'd'.repeat(DataDisk.shape.name.maxLength ?? 0);
const isAccepted = (kind: string, text: string): void => expect(refusal('azure', kind, text)).toBeUndefined();

test('every name is accepted by Azure', () => {
  fc.assert(
    fc.property(owner, fc.oneof(name, label(63)), (metadata, machine) => {
      const id = idOf(metadata);
      isAccepted('ResourceGroup', id);
      // Its rule has the reserved words and the form that most kinds have.
      for (const part of PARTS) isAccepted('PublicIP', nameIn(id, part));
      isAccepted('VirtualNetwork', nameIn(id, 'network'));
      for (const role of ['control-plane', 'node']) {
        isAccepted('UserAssignedIdentity', nameIn(id, role));
        isAccepted('Vault', vaultName(id, metadata.uid, role));
      }
      const vm = machineName(machine);
      isAccepted('LinuxVirtualMachine', vm);
      isAccepted('NetworkInterface', partName(vm, 'nic'));
      isAccepted('ManagedDisk', partName(vm, longestDisk));
      isAccepted('Secret', `${secretName(machine)}-7`);
    }),
    { numRuns: 2000 },
  );
});

test.for(['login', 'xbox', 'microsoft', 'windows'])('Azure accepts the names of a cluster called %s', (word) => {
  isAccepted('PublicIP', nameIn(clusterID(`${word}-prod-x7k2m9`), 'api-address'));
  expect(refusal('azure', 'PublicIP', `${word}-prod-x7k2m9-api-address`)).toMatch(/reserved word/);
});

test('clusters with other namespaces, names or management clusters share no name', () => {
  fc.assert(
    fc.property(fc.uniqueArray(owner, { minLength: 2, maxLength: 40, selector: ({ uid }) => uid }), (owners) => {
      const ids = owners.map(idOf);
      const names = ids.flatMap((id) => [id, ...PARTS.map((part) => nameIn(id, part))]);
      const vaults = owners.flatMap(({ uid }, n) =>
        ['control-plane', 'node'].map((role) => vaultName(ids[n] ?? '', uid, role)),
      );
      expect(new Set(names).size).toBe(names.length);
      expect(new Set(vaults).size).toBe(vaults.length);
    }),
    { numRuns: 300 },
  );
});

test('a claim that is made again gets other vaults: Azure keeps the names of deleted ones for days', () => {
  const again = ['0a', '0b'].map((uid) => vaultName('team-a-prod-x7k2m9', uid, 'node'));
  expect(new Set(again).size).toBe(2);
});

test('machines whose names differ only where Azure accepts nothing, or only at the end, share no name', () => {
  fc.assert(
    fc.property(name, (machine) => {
      const names = [machine, `${machine}x`, machine.replace('-', '.'), machine.replace('.', '-')];
      const all = new Set(names);
      expect(new Set([...all].map(machineName)).size).toBe(all.size);
      expect(new Set([...all].map(secretName)).size).toBe(all.size);
    }),
    { numRuns: 2000 },
  );
});

test('a machine keeps the name of its Machine, which is that of its node, if Azure accepts it', () => {
  fc.assert(
    fc.property(label(63), (machine) => {
      expect(machineName(machine)).toBe(machine);
    }),
  );
});
