/** Names of GCP, whatever namespaces, clusters and machines are called. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newClusterID } from '#lib/cloud/cluster-id.ts';
import { accountName, asName, instanceName, nameIn } from './names.ts';

const RFC1035 = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
/** Names of claims may have dots, and 253 characters. */
const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,100}[a-z0-9])?$/);
const owner = fc.record({ namespace: label, name, uid: fc.uuid() });

const idOf = (metadata: { namespace: string; name: string; uid: string }): string =>
  asName(newClusterID({ apiVersion: 'v1', kind: 'Cluster', metadata }, undefined));

const PARTS = ['network', 'control-plane', 'node', 'neg-northamerica-northeast1-b', 'firewall-clients-ipv6'];

test('every name is accepted by GCP', () => {
  fc.assert(
    fc.property(owner, name, (metadata, machine) => {
      const id = idOf(metadata);
      for (const part of PARTS) expect(nameIn(id, part)).toMatch(RFC1035);
      for (const role of ['control-plane', 'node']) {
        const account = accountName(id, role);
        expect(account).toMatch(RFC1035);
        expect(account.length).toBeGreaterThanOrEqual(6);
        expect(account.length).toBeLessThanOrEqual(30);
      }
      expect(instanceName(id, metadata.name, machine)).toMatch(RFC1035);
      expect(instanceName(id, metadata.name, `${metadata.name}-${machine}`)).toMatch(RFC1035);
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
