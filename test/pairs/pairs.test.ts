/** A part of what `npm run pairs` tries, and edits that went wrong once. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/api/json.ts';
import type { Act, Life } from './life.ts';
import { ENVIRONMENT, imageId } from './platform.ts';
import { live } from './twin.ts';

const aLife = (cluster: JsonObject, pool: JsonObject, ...acts: readonly Act[]): Life => ({
  seed: 1,
  cluster,
  pool,
  rounds: [acts],
});
const NAMED = ENVIRONMENT['images'] as JsonObject;
const imaged = (version: string): JsonObject => ({ machine: { image: imageId('ubuntu-24.04', version) } });

describe('edits on a simulated cloud', () => {
  test.for<{ name: string; life: Life }>([
    {
      name: 'a version in one edit with a size that does not exist changes nothing',
      life: aLife(
        { controlPlane: { replicas: 3 } },
        {},
        {
          after: 0,
          cluster: { version: 'v1.37.4', controlPlane: { machine: { class: 'standart-2' } } },
        },
      ),
    },
    {
      name: 'a version with its images replaces each machine once, workers last',
      life: aLife({ controlPlane: imaged('v1.36.4') }, imaged('v1.36.4'), {
        after: 0,
        cluster: { version: 'v1.37.4', controlPlane: imaged('v1.37.4') },
        pool: imaged('v1.37.4'),
      }),
    },
    {
      name: 'a paused pool is scaled down, or says why not',
      life: aLife({}, { replicas: 4 }, { after: 0, pool: { paused: true } }, { after: 300, pool: { replicas: 2 } }),
    },
    {
      name: 'an image that the platform withdraws in the middle of a roll-out stops it with a word',
      life: aLife(
        {},
        { replicas: 4, machine: { image: 'ubuntu-24.04' } },
        { after: 0, pool: { machine: { image: 'ubuntu-26.04' } } },
        { after: 240, platform: { images: { 'ubuntu-24.04/v1.36.4': NAMED['ubuntu-24.04/v1.36.4']! } } },
      ),
    },
    {
      name: 'a size that the platform mistypes hinders new machines until it is mended, and no longer',
      life: {
        ...aLife({}, {}, { after: 0, platform: { classes: { 'standard-4': 'nothing.large' } } }),
        early: 10,
      },
    },
    {
      name: 'a pool that is deleted and made again has machines of its own',
      life: aLife({}, {}, { after: 0, deletes: 'pool' }, { after: 10, pool: {} }),
    },
    {
      name: 'a pool that is refused, and deleted and made again before anybody could tell, can be mended',
      life: aLife(
        {},
        { replicas: 1 },
        { after: 0, pool: { labels: { 'kubernetes.io/hostname': 'a' } } },
        { after: 1, cluster: { version: 'v1.35.2' }, deletes: 'pool' },
        { after: 1, pool: { update: { rolloutAfter: '2025-06-01T00:00:00Z' } } },
      ),
    },
  ])('$name', async ({ life }) => {
    expect((await live(life)).broken).toEqual([]);
  });
});
