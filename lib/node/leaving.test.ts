/** When a Node whose cluster cannot be reached is let go. */
import { describe, expect, test } from 'vitest';
import { type Absence, endOfCluster, leavingOf } from './leaving.ts';

const NO_SECRET = { cause: 'Secret "team-a/prod-kubeconfig" not found', isMissing: true };
const NO_ANSWER = { cause: 'connection refused', isMissing: false };
const ABSENT: Absence = {
  obstacle: NO_ANSWER,
  isEtcdMember: false,
  absent: 0,
  drain: { timeout: '10m', onTimeout: 'Continue' },
};

const wayOf = (absence: Partial<Absence>) => leavingOf({ ...ABSENT, ...absence });

describe('while its cluster cannot be reached, a node', () => {
  test.for([NO_SECRET, NO_ANSWER])('waits and reports why: %o', (obstacle) => {
    expect(wayOf({ obstacle, absent: 600 })).toEqual({
      way: 'Wait',
      why: `${obstacle.cause}; deleted without a drain if its cluster cannot be reached for 30 minutes`,
      left: 1200,
    });
  });

  test('is let go without a drain after half an hour, and that is reported', () => {
    expect(wayOf({ absent: 1800 })).toEqual({
      way: 'LetGo',
      why: 'its cluster could not be reached for 30 minutes: connection refused',
    });
  });

  // If the pool is gone, users cannot edit it, so the message names the object itself.
  test.for([
    { absence: { isEtcdMember: true }, end: 'an etcd member waits until its cluster can be reached or is deleted' },
    {
      absence: { drain: { timeout: '0s', onTimeout: 'Continue' } },
      end: 'waits without limit because spec.drain.timeout is 0s',
    },
    {
      absence: { drain: { timeout: '10m', onTimeout: 'Hold' } },
      end: 'waits without limit because spec.drain.onTimeout is Hold',
    },
  ] as const)('waits without a limit and reports what ends it: $absence', ({ absence, end }) => {
    expect(wayOf({ ...absence, obstacle: NO_SECRET, absent: 1e6 })).toEqual({
      way: 'Wait',
      why: `${NO_SECRET.cause}; ${end}`,
    });
  });
});

test('an API that answers, and refuses, is not away: no Node goes without a drain for it', () => {
  const obstacle = { cause: 'observe failed: forbidden', isMissing: false, isRefused: true };
  expect(wayOf({ obstacle, absent: 1e6 })).toEqual({
    way: 'Wait',
    why: 'observe failed: forbidden; waits without limit because the API answers',
  });
});

test('only a ProviderConfig that is being deleted says that the whole cluster is', () => {
  const config = { apiVersion: 'v1', kind: 'ProviderConfig', metadata: { name: 'prod' } };
  expect(endOfCluster(undefined)).toBeUndefined();
  expect(endOfCluster(config)).toBeUndefined();
  const deleted = { ...config, metadata: { ...config.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  expect(endOfCluster(deleted)).toBe('ProviderConfig "prod" is being deleted, and its cluster with it');
});
