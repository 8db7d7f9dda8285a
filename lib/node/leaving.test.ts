/** Which nodes are drained, wait, or are released when their WorkloadNode is deleted. */
import { describe, expect, test } from 'vitest';
import { type Departure, leavingOf } from './leaving.ts';

const LIVING: Departure = {
  clusterRef: { name: 'prod', uid: 'one' },
  cluster: { uid: 'one', isDeleting: false },
  isNamespaceDeleting: false,
  obstacle: undefined,
  isEtcdMember: false,
  waited: 0,
  timeout: 600,
};
const NO_SECRET = { cause: 'Secret "team-a/prod-kubeconfig" not found', isMissing: true };
const NO_ANSWER = { cause: 'connection refused', isMissing: false };

const wayOf = (departure: Partial<Departure>) => leavingOf({ ...LIVING, ...departure });

describe('while its Cluster is running, a node', () => {
  test('is drained', () => expect(wayOf({}).way).toBe('Drain'));

  test.for([NO_SECRET, NO_ANSWER])('waits and reports why: %o', (obstacle) => {
    expect(wayOf({ obstacle })).toEqual({
      way: 'Wait',
      why: `${obstacle.cause}; deleted without a drain after 600 seconds (spec.drain.timeout)`,
    });
  });

  test('is released without a drain after the drain timeout, and that is reported', () => {
    expect(wayOf({ obstacle: NO_ANSWER, waited: 600 })).toEqual({
      way: 'LetGo',
      why: 'not drained within 600 seconds: connection refused',
    });
  });

  // If the pool is gone, users cannot edit it, so the message names the object itself.
  test.for([
    { departure: { isEtcdMember: true }, end: 'an etcd member waits until its Cluster can be reached or is deleted' },
    { departure: { timeout: 0 }, end: 'waits without limit because spec.drain.timeout is 0s' },
  ])('waits without a limit and reports what ends it: $departure', ({ departure, end }) => {
    expect(wayOf({ ...departure, obstacle: NO_SECRET, waited: 1e6 })).toEqual({
      way: 'Wait',
      why: `${NO_SECRET.cause}; ${end}`,
    });
  });
});

describe('a node is deleted with its Cluster without a drain', () => {
  test.for([
    { cluster: undefined, why: 'Cluster "prod" is gone' },
    { cluster: { uid: 'two', isDeleting: false }, why: 'Cluster "prod" is gone' },
    { cluster: { uid: 'one', isDeleting: true }, why: 'Cluster "prod" is being deleted' },
  ])('$why', ({ cluster, why }) => {
    for (const isEtcdMember of [true, false])
      expect(wayOf({ cluster, isEtcdMember, obstacle: NO_SECRET })).toEqual({ way: 'LetGo', why });
  });

  test('it is drained when its uid is not known and a Cluster of that name exists', () => {
    expect(wayOf({ clusterRef: { name: 'prod' } }).way).toBe('Drain');
  });
});

test('in a namespace that is being deleted it does not wait for a missing Secret, and still drains a cluster that answers', () => {
  expect(wayOf({ isNamespaceDeleting: true, obstacle: NO_SECRET }).way).toBe('LetGo');
  expect(wayOf({ isNamespaceDeleting: true, obstacle: NO_ANSWER }).way).toBe('Wait');
  expect(wayOf({ isNamespaceDeleting: true }).way).toBe('Drain');
});

test('an object of an older release, which names no Cluster, is released when its Secret is missing', () => {
  const old = { clusterRef: undefined, cluster: undefined };
  expect(wayOf({ ...old, obstacle: NO_SECRET }).way).toBe('LetGo');
  expect(wayOf({ ...old, obstacle: NO_ANSWER }).way).toBe('Wait');
  expect(wayOf(old).way).toBe('Drain');
});
