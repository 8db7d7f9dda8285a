/** Names of GCP, whatever namespaces, clusters and machines are called. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DataDisk } from '#lib/api/fields/machine-template.ts';
import { LONGEST_NAME } from '#lib/api/kinds/claim-name.ts';
import { newClusterID } from '#lib/cloud/cluster-id.ts';
import { label, refusal } from '../../test/clouds/names.fixture.ts';
import { accountName, asName, diskName, instanceName, nameIn } from './names.ts';

/** Names of claims may have dots, and 253 characters. */
const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,100}[a-z0-9])?$/);
const owner = fc.record({ namespace: label(63), name: label(LONGEST_NAME.Cluster), uid: fc.uuid() });

const idOf = (metadata: { namespace: string; name: string; uid: string }): string =>
  asName(newClusterID({ apiVersion: 'v1', kind: 'Cluster', metadata }, undefined));

const PARTS = ['network', 'control-plane', 'node', 'neg-northamerica-northeast1-b', 'firewall-clients-ipv6'];

const longestDisk = 'd'.repeat(DataDisk.shape.name.maxLength ?? 0);
const isAccepted = (kind: string, text: string): void => expect(refusal('gcp', kind, text)).toBeUndefined();

test('every name is accepted by GCP', () => {
  fc.assert(
    fc.property(owner, fc.oneof(name, label(63)), (metadata, machine) => {
      const id = idOf(metadata);
      for (const part of PARTS) isAccepted('Network', nameIn(id, part));
      for (const role of ['control-plane', 'node']) isAccepted('ServiceAccount', accountName(id, role));
      isAccepted('Instance', instanceName(id, metadata.name, machine));
      isAccepted('Instance', instanceName(id, metadata.name, `${metadata.name}-${machine}`));
      isAccepted('Disk', diskName(instanceName(id, metadata.name, machine), longestDisk));
    }),
    { numRuns: 2000 },
  );
});

test('clusters with other namespaces, names or management clusters share no name', () => {
  fc.assert(
    fc.property(fc.uniqueArray(owner, { minLength: 2, maxLength: 40, selector: ({ uid }) => uid }), (owners) => {
      const ids = owners.map(idOf);
      const names = ids.flatMap((id) => PARTS.map((part) => nameIn(id, part)));
      const accounts = ids.flatMap((id) => ['control-plane', 'node'].map((role) => accountName(id, role)));
      expect(new Set(names).size).toBe(names.length);
      expect(new Set(accounts).size).toBe(accounts.length);
    }),
    { numRuns: 300 },
  );
});

test('machines of one name in two clusters, and machines of one cluster whose names differ only at the end, share no name', () => {
  fc.assert(
    fc.property(owner, owner, name, (one, other, machine) => {
      fc.pre(one.uid !== other.uid);
      const [id, otherId] = [idOf(one), idOf(other)];
      const names = [
        instanceName(id, one.name, `${one.name}-${machine}`),
        instanceName(otherId, other.name, `${one.name}-${machine}`),
        instanceName(id, one.name, `${one.name}-${machine}x`),
        // Without the name of the cluster it would be the first one.
        instanceName(id, one.name, machine.startsWith(one.name) ? `y${machine}` : machine),
      ];
      expect(new Set(names).size).toBe(names.length);
    }),
    { numRuns: 1000 },
  );
});

test('the name of a machine begins with the id of its cluster, which conditions of roles depend on', () => {
  fc.assert(
    fc.property(owner, name, (metadata, machine) => {
      const id = idOf(metadata);
      expect(instanceName(id, metadata.name, machine).startsWith(`${id}-`)).toBe(true);
      expect(id).not.toContain('_');
    }),
  );
});
