/** No Machine exists yet when a claim is judged: what its pipeline calls is looked up. */
import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { inProcess } from '../in-process/functions.ts';
import { compositions, definitions } from '../files/repository.ts';
import { unservedNotes } from './unserved.ts';

const pool: KubeObject = {
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'NodePool',
  metadata: { name: 'general', namespace: 'team-a' },
  spec: { crossplane: { compositionSelector: { matchLabels: { 'slipway.dev/flavor': 'aws' } } } },
};

const notes = (renamed: (text: string) => string) => {
  const all = compositions().map((one) =>
    one.kind === 'Composition' ? (JSON.parse(renamed(JSON.stringify(one))) as KubeObject) : one,
  );
  const world = { objects: [], definitions: definitions(), compositions: all, functions: inProcess, now: new Date(0) };
  return unservedNotes(world, [pool, { ...pool, metadata: { name: 'other', namespace: 'team-a' } }]);
};

test('a function of Machines that nobody serves is named once', () => {
  const found = notes((text) => text.replaceAll('slipway-function-bootstrap', 'slipway-function-bootsrap'));
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(
    /^the machines of NodePool "team-a\/general" were not judged: cannot run step "bootstrap" of Composition "[a-z.-]+": cannot find function "slipway-function-bootsrap": .*did you mean "slipway-function-bootstrap"\?$/,
  );
});

test('nothing is said where all are served, or where there is no Composition for Machines', () => {
  expect(notes((text) => text)).toEqual([]);
  expect(notes((text) => text.replaceAll('"kind":"Machine"', '"kind":"Engine"'))).toEqual([]);
});
