/**
 * Every part of a cluster that somebody else may provide: a cluster that uses it becomes Ready, nothing of the part is
 * changed while the cluster lives, and it is still there when the cluster is deleted.
 */
import { describe, expect, test } from 'vitest';
import { CLOUD_CASES } from './existing-parts/all.ts';
import { faultsIn } from './existing-parts/judge.ts';
import { lifeOf } from './existing-parts/life.ts';
import { mixOf } from './existing-parts/mixes.ts';

describe.for(CLOUD_CASES)('on $cloud', (cloud) => {
  test.for(cloud.parts)('$part: used, never changed, never deleted', async (one) => {
    expect(faultsIn(await lifeOf(cloud, one, () => 'id'), one)).toEqual([]);
  });
});

/** `npm run mixes` has as many as one likes. */
const SEEDS = [1, 2, 3, 4, 5, 6];

describe.for(CLOUD_CASES)('any mix on $cloud', (cloud) => {
  test.for(SEEDS.map((seed) => ({ seed, ...mixOf(cloud, seed) })))(
    'seed $seed: $title',
    async ({ seed, one, naming }) => {
      const faults = faultsIn(await lifeOf(cloud, one, naming), one);
      expect(faults, `npm run mixes -- --cloud ${cloud.cloud} --from ${seed} --seeds 1`).toEqual([]);
    },
  );
});
