/**
 * Clusters of one account never have a name in common, whatever they, their namespaces and their management clusters are
 * called, and each name is one that the cloud accepts. A cloud joins by its name-limits.fixture.ts.
 */
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { SUPPORT } from '#clouds/support.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { compositions, definitions, ROOT } from '../../cli/files/repository.ts';
import { runXr } from '../../cli/plan/rendering.ts';
import { inProcess } from '../support/in-process.ts';
import type { NameLimits } from './name-limits.ts';

const flavours = Object.entries(SUPPORT)
  .filter(([, { fields }]) => fields['infrastructure.providerConfigRef.name'].is !== 'refused')
  .map(([name]) => name);

interface Owner {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** With hyphens in many places, so that namespace and name together are often the same text; and very long ones. */
const word = fc
  .array(fc.constantFrom('a', 'b', '-'), { minLength: 1, maxLength: 5 })
  .map((parts) => `x${parts.join('')}x`);
const long = (most: number) => word.map((end) => `${'l'.repeat(most - end.length)}${end}`);
const owner: fc.Arbitrary<Owner> = fc.record({
  namespace: fc.oneof(word, long(63)),
  name: fc.oneof(word, long(38)),
  uid: fc.uuid(),
});

const world = {
  objects: [],
  definitions: definitions(),
  compositions: compositions(),
  functions: inProcess,
  now: new Date(0),
};

/** Kind and name of everything whose name the functions choose. */
async function namesOf(flavour: string, metadata: Owner): Promise<readonly (readonly [kind: string, name: string])[]> {
  const claim: KubeObject = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { ...metadata },
    spec: {
      crossplane: { compositionSelector: { matchLabels: { 'slipway.dev/flavor': flavour } } },
      version: 'v1.35.4',
      region: 'eu-west',
      controlPlane: { machine: { class: 'standard-2' } },
    },
  };
  const run = await runXr(world, claim);
  if ('refusal' in run) throw new Error(run.refusal.reason);
  const { composed } = run.rendered;
  const chosen = composed.flatMap(({ kind, metadata: own, spec }): readonly (readonly [string, string])[] => {
    const name = stringAt(spec, 'forProvider', 'name') ?? own?.annotations?.[CROSSPLANE.externalName];
    return name === undefined ? [] : [[kind, name]];
  });
  return chosen;
}

describe.for(flavours)('on %s', (flavour) => {
  let limits: NameLimits;

  beforeAll(async () => {
    const file = join(ROOT, `clouds/${flavour}/name-limits.fixture.ts`);
    ({ NAME_LIMITS: limits } = (await import(file)) as { NAME_LIMITS: NameLimits });
  });

  test('two clusters have no name in common, and every name is accepted', async () => {
    await fc.assert(
      fc.asyncProperty(owner, owner, fc.boolean(), async (one, second, isNamesake) => {
        fc.pre(one.uid !== second.uid);
        // In two management clusters, claims may have the same namespace and name.
        const other = isNamesake ? { ...one, uid: second.uid } : second;
        const [names, others] = [await namesOf(flavour, one), await namesOf(flavour, other)];
        expect(names.length).toBeGreaterThan(5);
        const taken = new Set(names.map((entry) => entry.join(' ')));
        expect(others.filter((entry) => taken.has(entry.join(' ')))).toEqual([]);
        for (const [kind, name] of names) expect(name, kind).toMatch(limits[kind] ?? /^$/);
      }),
      { numRuns: 25 },
    );
  });

  test('the names of one cluster differ, each within its kind', async () => {
    await fc.assert(
      fc.asyncProperty(owner, async (one) => {
        const names = (await namesOf(flavour, one)).map((entry) => entry.join(' '));
        expect(names).toEqual([...new Set(names)]);
      }),
      { numRuns: 15 },
    );
  });

  test('the same claim has the same names again', async () => {
    const one = { namespace: 'team-a', name: 'prod', uid: '8e0b1f9e-0000-4000-8000-000000000000' };
    expect(await namesOf(flavour, one)).toEqual(await namesOf(flavour, one));
  });
});
