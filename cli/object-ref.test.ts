/** References to objects on the command line. */
import { expect, test } from 'vitest';
import { COMPOSITES } from '#lib/api/kinds/definitions.ts';
import { kindOf, KINDS, objectRef } from './object-ref.ts';

test('every word that kubectl accepts for a kind is accepted', () => {
  for (const { kind, plural, shortNames = [], group } of COMPOSITES) {
    const words = [kind, kind.toLowerCase(), plural, plural.toUpperCase(), ...shortNames];
    const whole = [`${plural}.${group}`, `${plural}.v1alpha1.${group}`];
    expect([...words, ...whole].filter((word) => kindOf(word) !== kind)).toEqual([]);
  }
  expect(COMPOSITES.map(({ kind }) => kind).toSorted()).toEqual([...KINDS].toSorted());
});

test.for([
  ['Cluster/prod', { kind: 'Cluster', name: 'prod' }],
  ['np/team-a/general', { kind: 'NodePool', namespace: 'team-a', name: 'general' }],
  ['prod', undefined],
  ['clusters/', undefined],
  ['clusters//prod', undefined],
  ['clusters/a/b/c', undefined],
  ['', undefined],
] as const)('%j is %j', ([text, ref]) => {
  expect(objectRef(text, 'use it')).toEqual(ref);
});

test.for(['pod/x', 'constructor/x', '__proto__/x', 'machine/x'])('the kind of %j is refused', (text) => {
  expect(() => objectRef(text, 'use it', ['Cluster', 'NodePool'])).toThrow(
    'cannot use it: accepted: Cluster, NodePool',
  );
});
