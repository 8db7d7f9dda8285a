/** Names of Azure, whatever namespaces, clusters and machines are called. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newClusterID } from '#lib/cloud/cluster-id.ts';
import { asName, machineName, nameIn, partName, secretName, vaultName } from './names.ts';

const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
/** Names of claims may have dots, and 253 characters. */
const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,250}[a-z0-9])?$/);
const owner = fc.record({ namespace: label, name, uid: fc.uuid() });

type Owner = Readonly<Record<'namespace' | 'name' | 'uid', string>>;
const idOf = (metadata: Owner): string =>
  asName(newClusterID({ apiVersion: 'v1', kind: 'Cluster', metadata }, undefined));

/** What Azure accepts, by kind: https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules */
const GROUP = /^[-\w.()]{0,89}[-\w()]$/;
const COMMON = /^[a-zA-Z0-9]([-\w.]{0,78}\w)?$/;
const NETWORK = /^[a-zA-Z0-9][-\w.]{0,62}\w$/;
const IDENTITY = /^[a-zA-Z0-9][-\w]{2,127}$/;
const VAULT = /^(?=.{3,24}$)[a-zA-Z](-?[a-zA-Z0-9])*$/;
const SECRET = /^[-a-zA-Z0-9]{1,127}$/;
/** Of Linux: also the host name, which has no dots. */
const MACHINE = /^[a-z0-9]([-a-z0-9]{0,62}[a-z0-9])?$/;

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

test('every name is accepted by Azure', () => {
  fc.assert(
    fc.property(owner, name, (metadata, machine) => {
      const id = idOf(metadata);
      expect(id).toMatch(GROUP);
      for (const part of PARTS) expect(nameIn(id, part)).toMatch(COMMON);
      expect(nameIn(id, 'network')).toMatch(NETWORK);
      for (const role of ['control-plane', 'node']) {
        expect(nameIn(id, role)).toMatch(IDENTITY);
        expect(vaultName(id, metadata.uid, role)).toMatch(VAULT);
      }
      const vm = machineName(machine);
      expect(vm).toMatch(MACHINE);
      expect(partName(vm, 'nic')).toMatch(COMMON);
      expect(`${secretName(machine)}-7`).toMatch(SECRET);
    }),
    { numRuns: 2000 },
  );
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
    fc.property(label, (machine) => {
      expect(machineName(machine)).toBe(machine);
    }),
  );
});
