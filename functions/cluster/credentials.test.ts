/** A claim chooses the credentials of its cluster only where the Composition lists them. */
import { describe, expect, test } from 'vitest';
import { at, type JsonObject } from '#lib/api/json.ts';
import { aClaim, anInput, call, objects, observe, settled } from './cluster.fixture.ts';

const asking = (kind: string, name: string) => aClaim({ infrastructure: { providerConfigRef: { kind, name } } });
const listing = (...providerConfigs: readonly JsonObject[]) => anInput({ providerConfigs });
const TEAMS = { kind: 'ProviderConfig', name: 'team-*' };

describe('credentials that the Composition lists', () => {
  test('are those of everything in the cloud, and the machines are told', async () => {
    const reply = await call({ claim: asking('ProviderConfig', 'team-a'), input: listing(TEAMS) });
    const { status } = reply;
    const refs = objects(reply).map(({ spec }) => at(spec, 'providerConfigRef'));
    const asked = { kind: 'ProviderConfig', name: 'team-a' };
    expect(refs.length).toBeGreaterThan(40);
    for (const ref of refs) expect(ref).toEqual(asked);
    expect(at(status, 'infrastructure', 'providerConfigRef')).toEqual(asked);
  });

  test('may be those of the Composition itself', async () => {
    const { status } = await call({ claim: asking('ClusterProviderConfig', 'default') });
    expect(at(status, 'infrastructure', 'providerConfigRef', 'name')).toBe('default');
  });
});

test('a cluster keeps those that it was created with, also if a later list lacks them', async () => {
  const claim = asking('ProviderConfig', 'team-a');
  const { claim: known, reply } = await settled(claim, listing(TEAMS));
  const later = await call({ claim: known, input: anInput(), observed: observe(reply) });
  expect(objects(later)).toEqual(objects(reply));
  const other = {
    ...asking('ProviderConfig', 'team-b'),
    ...(known.status === undefined ? {} : { status: known.status }),
  };
  await expect(call({ claim: other, input: anInput(), observed: observe(reply) })).rejects.toThrow(
    '"ProviderConfig team-b"',
  );
});

test('without a choice, machines have those of their own Composition', async () => {
  const { status } = await call({ input: listing(TEAMS) });
  expect(at(status, 'infrastructure', 'providerConfigRef')).toBeUndefined();
});

describe('others are refused before anything is created', () => {
  const who = 'cannot accept Cluster "team-a/prod": spec.infrastructure.providerConfigRef: ';
  test.for([
    {
      name: 'no list',
      claim: asking('ProviderConfig', 'team-b'),
      input: anInput(),
      why: `${who}"ProviderConfig team-b" is not accepted; accepted: ClusterProviderConfig default (providerConfigs in ClusterInput of the Composition)`,
    },
    {
      name: 'another name',
      claim: asking('ProviderConfig', 'admin'),
      input: listing(TEAMS),
      why: `${who}"ProviderConfig admin" is not accepted; accepted: ClusterProviderConfig default, ProviderConfig team-* (providerConfigs in ClusterInput of the Composition)`,
    },
    {
      name: 'the name in another kind',
      claim: asking('ClusterProviderConfig', 'team-a'),
      input: listing(TEAMS),
      why: `${who}"ClusterProviderConfig team-a" is not accepted; accepted: ClusterProviderConfig default, ProviderConfig team-* (providerConfigs in ClusterInput of the Composition)`,
    },
  ])('$name', async ({ claim, input, why }) => {
    await expect(call({ claim, input })).rejects.toThrow(why);
  });
});
