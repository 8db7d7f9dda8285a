import { expect, test } from 'vitest';
import { UNREACHABLE } from '#lib/cloud/api-clients.ts';
import { type CompositeFacts, FIRST_BOOT, type Snapshot } from '#simulator/engine.ts';
import { decisiveReasons, reasonsOf } from './decisive.ts';

type Failing = readonly [type: string, message: string | undefined];

function anXr(
  kind: string,
  name: string,
  failing: readonly Failing[],
  more: Partial<CompositeFacts> = {},
): CompositeFacts {
  const conditions = failing.map(([type, message]) => ({
    type,
    status: 'False' as const,
    reason: 'Because',
    ...(message === undefined ? {} : { message }),
  }));
  const facts = { ready: failing.length === 0, synced: !failing.some(([type]) => type === 'Synced') };
  const ref = { apiVersion: 'slipway.dev/v1alpha1', kind, namespace: 'team-a', name };
  return { ...ref, ...facts, paused: false, deleting: false, conditions, composed: [], ...more };
}

const CLUSTER = anXr('Cluster', 'prod', [['ControlPlaneInitialized', 'waiting for the first control-plane machine']]);
const INSTANCE: CompositeFacts['composed'][number] = {
  apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
  kind: 'Instance',
  namespace: 'team-a',
  name: 'cp-0',
  key: 'instance',
  ready: true,
  deleting: false,
};
const GONE =
  'waiting for VPC "team-a/shared", which spec.infrastructure.existing.network.ref names: observe failed: external resource does not exist';
const under = (kind: string, name: string): Partial<CompositeFacts> => ({
  parent: { apiVersion: 'slipway.dev/v1alpha1', kind, namespace: 'team-a', name },
});

test.for<{
  readonly name: string;
  readonly composites: readonly CompositeFacts[];
  readonly warnings?: Snapshot['warnings'];
  readonly reasons: readonly string[];
}>([
  { name: 'nothing, if everything is ready', composites: [anXr('Cluster', 'prod', [])], reasons: [] },
  {
    name: 'a refusal far below, not what waits for it',
    composites: [
      CLUSTER,
      anXr('NodePool', 'cp', [
        ['Synced', 'cannot compose resources: it is refused'],
        ['ClaimAccepted', 'cannot accept NodePool "team-a/cp": no such class'],
      ]),
    ],
    reasons: ['cannot accept NodePool "team-a/cp": no such class'],
  },
  {
    name: 'a refusal that many repeat, once',
    composites: ['a', 'b', 'c'].map((name) => anXr('Machine', name, [['ClaimAccepted', 'no image for v1.35.4']])),
    reasons: ['Machine a, Machine b and 1 more: no image for v1.35.4'],
  },
  {
    name: 'what is not there',
    composites: [
      anXr('NodePool', 'p', [['MachinesReady', 'waiting for Cluster "team-b/nope": not accepted yet, or not found']]),
    ],
    reasons: ['NodePool p: waiting for Cluster "team-b/nope": not accepted yet, or not found'],
  },
  {
    name: 'what is not there, with where one of its name is',
    composites: [
      anXr('Cluster', 'shop', [['Ready', 'it is being created']]),
      anXr('NodePool', 'p', [['MachinesReady', 'waiting for Cluster "team-b/shop": not accepted yet, or not found']], {
        namespace: 'team-b',
        cluster: 'shop',
      }),
    ],
    reasons: [
      'NodePool p: waiting for Cluster "team-b/shop": not accepted yet, or not found; there is one in namespace team-a, but a pool is in that of its Cluster',
    ],
  },
  {
    name: 'what is not there, with what was perhaps meant',
    composites: [
      anXr('Cluster', 'shop', [['Ready', 'it is being created']]),
      anXr('NodePool', 'p', [['MachinesReady', 'waiting for Cluster "team-a/shpo": not accepted yet, or not found']], {
        cluster: 'shpo',
      }),
    ],
    reasons: ['NodePool p: waiting for Cluster "team-a/shpo": not accepted yet, or not found; did you mean "shop"?'],
  },
  {
    name: 'what is not there, with the only one that is',
    composites: [
      anXr('Cluster', 'my', [['Ready', 'it is being created']]),
      anXr('NodePool', 'p', [['MachinesReady', 'waiting for Cluster "team-a/mine": not accepted yet, or not found']], {
        cluster: 'mine',
      }),
    ],
    reasons: [
      'NodePool p: waiting for Cluster "team-a/mine": not accepted yet, or not found; did you mean "my", the only Cluster beside it?',
    ],
  },
  {
    name: 'the resource at the bottom that everything waits for',
    composites: [
      CLUSTER,
      anXr('NodePool', 'cp', [['MachinesUpToDate', '1 still to be created']], under('Cluster', 'prod')),
      anXr('Machine', 'cp-0', [['Ready', undefined]], {
        ...under('NodePool', 'cp'),
        composed: [{ ...INSTANCE, ready: false, why: 'no capacity\u001B[2J' }],
      }),
      anXr('NodePool', 'general', [['MachinesReady', 'waiting for the control plane of Cluster prod']]),
    ],
    reasons: [String.raw`Instance cp-0: no capacity\u{1b}[2J`],
  },
  {
    name: 'a first boot that no machine can do, not what its machine lacks because of it',
    composites: [
      anXr('Machine', 'cp-0', [['Ready', 'waiting for WorkloadNode cp-0: connection refused']], {
        composed: [INSTANCE, { ...INSTANCE, kind: 'SecretVersion', ready: false, why: 'create failed' }],
      }),
    ],
    warnings: [
      {
        ref: INSTANCE,
        severity: 'Warning',
        reason: FIRST_BOOT.refused,
        message: 'no file of a bootstrap provider',
        count: 1,
        first: 283,
        last: 283,
      },
    ],
    reasons: ['Machine cp-0: never became a node: no file of a bootstrap provider'],
  },
  {
    name: 'what is only observed and does not exist',
    composites: [anXr('Cluster', 'prod', [['InfrastructureReady', GONE]])],
    reasons: [`Cluster prod: ${GONE}`],
  },
  {
    name: 'at most three causes',
    composites: ['a', 'b', 'c', 'd', 'e'].map((name) => anXr('Machine', name, [['Synced', `error ${name}`]])),
    reasons: ['Machine a: error a', 'Machine b: error b', 'Machine c: error c', 'and 2 more'],
  },
])('the decisive reason is $name', ({ composites, warnings = [], reasons }) => {
  expect(decisiveReasons({ composites, warnings })).toEqual(reasons);
});

test('programs get every object, each with the reason of its condition', () => {
  const composites = ['a', 'b', 'c', 'd', 'e'].map((name) => anXr('Machine', name, [['Synced', 'no quota']]));
  const said = { kind: 'Machine', namespace: 'team-a', reason: 'Because', message: 'no quota' };
  expect(reasonsOf({ composites })).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...said, name })));
});

test('what functions note of a Cluster that becomes Ready with it is no reason', () => {
  const instance = { ...INSTANCE, ready: false, why: 'Creating' };
  const waits: Failing = ['InfrastructureReady', `waiting for Instance cp-0: not created yet; ${UNREACHABLE}`];
  expect(decisiveReasons({ composites: [anXr('Cluster', 'prod', [waits], { composed: [instance] })] })).toEqual([
    'Instance cp-0: not created yet',
  ]);
});

test('a resource of a cloud has no reason of its own', () => {
  const composed = [{ ...INSTANCE, ready: false, why: 'no capacity' }];
  expect(reasonsOf({ composites: [anXr('Machine', 'cp-0', [['Ready', undefined]], { composed })] })).toEqual([
    { kind: 'Instance', namespace: 'team-a', name: 'cp-0', reason: 'NotReady', message: 'no capacity' },
  ]);
});
