/** Which nodes are drained, wait, or are released when their WorkloadNode is deleted. */
import { describe, expect, test } from 'vitest';
import { type Departure, leavingOf } from './leaving.ts';

const LIVING: Departure = {
  going: undefined,
  obstacle: undefined,
  isEtcdMember: false,
  waited: 0,
  timeout: 600,
};
const NO_SECRET = { cause: 'Secret "team-a/prod-kubeconfig" not found', isMissing: true };
const NO_ANSWER = { cause: 'connection refused', isMissing: false };

const wayOf = (departure: Partial<Departure>) => leavingOf({ ...LIVING, ...departure });

describe('while its cluster is running, a node', () => {
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
    { departure: { isEtcdMember: true }, end: 'an etcd member waits until its cluster can be reached or is deleted' },
    { departure: { timeout: 0 }, end: 'waits without limit because spec.drain.timeout is 0s' },
  ])('waits without a limit and reports what ends it: $departure', ({ departure, end }) => {
    expect(wayOf({ ...departure, obstacle: NO_SECRET, waited: 1e6 })).toEqual({
      way: 'Wait',
      why: `${NO_SECRET.cause}; ${end}`,
    });
  });
});

test('a node is deleted with its cluster without a drain, whatever can be reached', () => {
  for (const isEtcdMember of [true, false])
    for (const obstacle of [undefined, NO_SECRET, NO_ANSWER])
      expect(wayOf({ going: 'ProviderConfig "prod"', isEtcdMember, obstacle })).toEqual({
        way: 'LetGo',
        why: 'ProviderConfig "prod" is being deleted, and its cluster with it',
      });
});
