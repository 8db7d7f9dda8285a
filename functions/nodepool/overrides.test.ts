/** An override that may not be is refused at the pool. */
import { expect, test } from 'vitest';
import { aNodePool } from '../../test/support/claims.ts';
import { replyOf } from '../../test/support/function-laws.ts';
import { run } from './fn.ts';
import { request } from './pool.fixture.ts';

test('an override that the platform does not allow is refused before any machine gets it', async () => {
  const pool = aNodePool({
    spec: {
      infrastructure: {
        overrides: [
          { kind: 'Instance', patch: { spec: { forProvider: { monitoring: true, iamInstanceProfile: 'x' } } } },
        ],
      },
    },
  });
  const input = {
    apiVersion: 'fn.slipway.dev/v1alpha1',
    kind: 'NodePoolInput',
    overrides: { Instance: ['spec.forProvider.monitoring'] },
  };
  await expect(replyOf(run, { ...request({ pool }), input })).rejects.toThrow(
    'cannot accept NodePool "team-a/general": spec.infrastructure.overrides[0].patch.spec.forProvider.iamInstanceProfile: may not be overridden; accepted for Instance: spec.forProvider.monitoring (overrides in NodePoolInput of the Composition)',
  );
});

test('an override that no platform can allow is refused there, too, also without a list', async () => {
  const overrides = [{ kind: 'Instance', patch: { metadata: { annotations: { 'crossplane.io/paused': 'true' } } } }];
  const pool = aNodePool({ spec: { infrastructure: { overrides } } });
  await expect(replyOf(run, request({ pool }))).rejects.toThrow(
    'cannot accept NodePool "team-a/general": spec.infrastructure.overrides[0].patch.metadata.annotations["crossplane.io/paused"]: cannot be overridden',
  );
});
