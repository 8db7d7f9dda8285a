/**
 * Clusters of one account never have a name in common, whatever they, their namespaces and their management clusters are
 * called, and each name is one that the cloud accepts. A cloud joins by the rules of its simulated kinds.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SUPPORT } from '#clouds/support.ts';
import { type KubeObject, stringAt } from '#lib/api/json.ts';
import { LONGEST_NAME } from '#lib/api/kinds/claim-name.ts';
import { CROSSPLANE } from '#lib/api/words.ts';
import { compositions, definitions } from '../../cli/files/repository.ts';
import { runXr } from '../../cli/plan/rendering.ts';
import { inProcess } from '../support/in-process.ts';
import { closeNames, label, refusal } from './names.fixture.ts';

const flavours = Object.entries(SUPPORT)
  .filter(([, { fields }]) => fields['infrastructure.providerConfigRef.name'].is !== 'refused')
  .map(([name]) => name);

interface Owner {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

const UID = '8e0b1f9e-0000-4000-8000-000000000000';

/** With hyphens in many places, so that namespace and name together are often the same text. */
const ambiguous = fc.stringMatching(/^x[ab-]{1,5}x$/);
const owner: fc.Arbitrary<Owner> = fc.record({
  namespace: fc.oneof(ambiguous, label(63)),
  name: fc.oneof(ambiguous, label(LONGEST_NAME.Cluster)),
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
  test('every name is accepted, however close those of a claim come to what the cloud refuses', async () => {
    const refused: string[] = [];
    for (const namespace of closeNames(63)) {
      const names = await namesOf(flavour, { namespace, name: namespace.slice(0, LONGEST_NAME.Cluster), uid: UID });
      refused.push(...names.flatMap(([kind, name]) => refusal(flavour, kind, name) ?? []));
    }
    expect(refused).toEqual([]);
  });

  test('two clusters have no name in common', async () => {
    await fc.assert(
      fc.asyncProperty(owner, owner, fc.boolean(), async (one, second, isNamesake) => {
        fc.pre(one.uid !== second.uid);
        // In two management clusters, claims may have the same namespace and name.
        const other = isNamesake ? { ...one, uid: second.uid } : second;
        const [names, others] = [await namesOf(flavour, one), await namesOf(flavour, other)];
        expect(names.length).toBeGreaterThan(5);
        const taken = new Set(names.map((entry) => entry.join(' ')));
        expect(others.filter((entry) => taken.has(entry.join(' ')))).toEqual([]);
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
    const one = { namespace: 'team-a', name: 'prod', uid: UID };
    expect(await namesOf(flavour, one)).toEqual(await namesOf(flavour, one));
  });
});
