import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import { ClusterInput } from './input.ts';
import { aClaim, anInput, call, controlPlane } from './cluster.fixture.ts';
import { Cluster } from '#lib/api/kinds/cluster.ts';
import { existingParts } from '#lib/cloud/existing-parts.ts';
import type { ClusterSituation } from '#lib/cloud/infrastructure.ts';

const OWN = { controlPlane: 'cp', worker: 'node' };
const OTHER = { controlPlane: 'other-cp', worker: 'other-node' };
const GROUPS = { controlPlane: ['sg-1'], worker: ['sg-2'] };
const TARGETS = [{ id: 'tg', port: 6443 }];
const TWO_TARGETS = [...TARGETS, { id: 'other-tg', port: 6443 }];
const NAMED = 'spec.infrastructure.existing';

interface Given {
  readonly claim?: JsonObject;
  readonly endpoint?: boolean;
  readonly platform?: JsonObject;
  /** The status, where the cluster is not new. */
  readonly recorded?: JsonObject;
  readonly made?: boolean;
}

function parts({ claim = {}, endpoint = false, platform = {}, recorded, made = false }: Given) {
  const spec = endpoint ? controlPlane({ endpoint: { host: 'api.example.com' } }) : {};
  const parsed = Cluster.parse(aClaim(spec));
  const existing = { subnets: [], loadBalancerTargets: [], ...claim };
  const cluster = { ...parsed, spec: { ...parsed.spec, infrastructure: { overrides: [], existing } } };
  const input = ClusterInput.parse(anInput({ existingParts: platform }));
  const previous = recorded === undefined ? {} : { infrastructure: { existing: recorded } };
  const situation = { cluster, input, previous, owner: 'Cluster "team-a/prod"' } as unknown as ClusterSituation;
  return existingParts(situation, () => made);
}

test.for([
  { name: 'nothing, if nobody names any', given: {}, gets: {} },
  { name: 'what its claim names', given: { claim: { identities: OWN } }, gets: { identities: OWN } },
  { name: 'what the platform names', given: { platform: { identities: OWN } }, gets: { identities: OWN } },
  {
    name: 'what its claim names rather than the platform',
    given: { claim: { identities: OWN }, platform: { identities: OTHER, securityGroups: GROUPS } },
    gets: { identities: OWN, securityGroups: GROUPS },
  },
  {
    name: 'targets, with an endpoint',
    given: { claim: { loadBalancerTargets: TARGETS }, endpoint: true },
    gets: { loadBalancerTargets: TARGETS },
  },
])('a new cluster gets $name', ({ given, gets }) => {
  expect(parts(given)).toEqual(gets);
});

test.for([
  {
    name: 'its own, if the platform names some now',
    given: { platform: { identities: OTHER }, recorded: {} },
    keeps: {},
  },
  {
    name: 'its own without a status, as after a restore',
    given: { platform: { identities: OTHER }, made: true },
    keeps: {},
  },
  {
    name: 'those of the platform, if it names others now',
    given: { platform: { identities: OTHER }, recorded: { identities: OWN } },
    keeps: { identities: OWN },
  },
  {
    name: 'those of the platform, if it names none now',
    given: { recorded: { identities: OWN } },
    keeps: { identities: OWN },
  },
  {
    name: 'those of its claim',
    given: { claim: { identities: OWN }, recorded: { identities: OWN } },
    keeps: { identities: OWN },
  },
  {
    name: 'the same groups and targets in another order',
    given: {
      claim: {
        securityGroups: { worker: ['sg-2', 'sg-1'], controlPlane: ['sg-1'] },
        loadBalancerTargets: [...TWO_TARGETS].toReversed(),
      },
      endpoint: true,
      recorded: {
        securityGroups: { controlPlane: ['sg-1'], worker: ['sg-1', 'sg-2'] },
        loadBalancerTargets: TWO_TARGETS,
      },
    },
    keeps: {
      securityGroups: { controlPlane: ['sg-1'], worker: ['sg-1', 'sg-2'] },
      loadBalancerTargets: TWO_TARGETS,
    },
  },
])('a cluster that exists keeps $name', ({ given, keeps }) => {
  expect(parts(given)).toEqual(keeps);
});

test.for([
  {
    name: 'it has made its own',
    given: { claim: { identities: OWN }, recorded: {} },
    why: `${NAMED}.identities: an object is not accepted; accepted: none, since the cluster has its own`,
  },
  {
    name: 'it was created with others',
    given: { claim: { identities: OTHER }, recorded: { identities: OWN } },
    why: 'accepted: {"controlPlane":"cp","worker":"node"}, since the cluster was created with it',
  },
  {
    name: 'it was created with other groups',
    given: {
      claim: { securityGroups: { controlPlane: ['sg-2'], worker: ['sg-1'] } },
      recorded: { securityGroups: GROUPS },
    },
    why: 'accepted: {"controlPlane":["sg-1"],"worker":["sg-2"]}, since the cluster was created with it',
  },
  {
    name: 'nothing leads to the targets',
    given: { claim: { loadBalancerTargets: TARGETS } },
    why: `spec.controlPlane.endpoint: is required; accepted: the endpoint that leads to ${NAMED}.loadBalancerTargets`,
  },
])('a claim is refused, because $name', ({ given, why }) => {
  expect(() => parts(given)).toThrow(why);
});

test.for(['existing'])('a Composition for %s, which makes its own, cannot name any', async (cloud) => {
  for (const existingParts of [{ securityGroups: GROUPS }, { identities: OWN }])
    await expect(call({ input: anInput({ cloud, [cloud]: {}, existingParts }) })).rejects.toThrow(
      `existingParts.${Object.keys(existingParts)[0]}: an object is not accepted; accepted: none, since`,
    );
});
