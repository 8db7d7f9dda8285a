/** Names of secrets that machines boot from: roles allow them by their beginning. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newClusterID } from '#lib/cloud/cluster-id.ts';
import { firstBootSecrets } from './infrastructure/identity.ts';
import type { Site } from './infrastructure/site.ts';
import { label, refusal } from '../../test/clouds/names.fixture.ts';

/** Some that are the beginning of others, and that end where others begin. */
const word = fc.oneof(label(63), fc.stringMatching(/^[ab](-?[ab]){0,3}$/));
const owner = fc.record({ namespace: word, name: word, uid: fc.uuid() });
type Owner = typeof owner extends fc.Arbitrary<infer T> ? T : never;

/** Clusters of the first release have a mark. */
const prefixOf = (metadata: Owner, isOld: boolean, role: 'control-plane' | 'node'): string => {
  const id = newClusterID({ apiVersion: 'v1', kind: 'Cluster', metadata }, undefined);
  const mark = isOld ? { mark: 'x' } : {};
  return firstBootSecrets({ id, ...mark, namespace: metadata.namespace, cluster: metadata.name } as Site, role);
};

test('no cluster, and no role of a cluster, may read secrets of another one', () => {
  fc.assert(
    fc.property(owner, owner, fc.boolean(), word, (one, other, isOld, machine) => {
      fc.pre(one.uid !== other.uid && (one.namespace !== other.namespace || one.name !== other.name || !isOld));
      const prefixes = [
        prefixOf(one, isOld, 'control-plane'),
        prefixOf(one, isOld, 'node'),
        prefixOf(other, isOld, 'control-plane'),
        prefixOf(other, isOld, 'node'),
      ];
      for (const prefix of prefixes)
        expect(prefixes.filter((allowed) => `${prefix}${machine}`.startsWith(allowed))).toEqual([prefix]);
    }),
    { numRuns: 2000 },
  );
});

test('every name is accepted by AWS', () => {
  fc.assert(
    fc.property(owner, label(63), fc.boolean(), (one, name, isOld) => {
      for (const role of ['control-plane', 'node'] as const)
        expect(refusal('aws', 'Secret', `${prefixOf(one, isOld, role)}${name}`)).toBeUndefined();
    }),
  );
});
