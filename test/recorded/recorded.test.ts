/**
 * States that earlier releases left: this one plans nothing for them. A function that is upgraded replaces no machine,
 * patches none and updates none. A release adds what it leaves: `slipway simulate examples/aws --save FILE`, XRs only.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { KubeObject } from '#lib/api/json.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { compositions, definitions } from '../../cli/files/repository.ts';
import { planClaims } from '../../cli/plan/plan-claims.ts';
import { inProcess } from '../support/in-process.ts';

const releases = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.yaml'));

describe('a state that an earlier release left', () => {
  test.for(releases)('meets no change: %s', async (file) => {
    const objects = readObjects([join(import.meta.dirname, file)]);
    expect(await planned(objects, objects.filter(isClaim))).toEqual([]);
  });

  it('would meet one if something had changed, or this test proves nothing', async () => {
    const objects = readObjects([join(import.meta.dirname, releases[0]!)]);
    const pools = objects.filter(({ kind, spec }) => kind === 'NodePool' && spec?.['role'] !== 'control-plane');
    const edited = pools.map((pool) => ({ ...pool, spec: { ...pool.spec, labels: { team: 'a' } } }));
    expect((await planned(objects, edited)).length).toBeGreaterThan(0);
  });
});

function isClaim({ kind, metadata }: KubeObject): boolean {
  return kind === 'Cluster' || (kind === 'NodePool' && metadata?.['ownerReferences'] === undefined);
}

function planned(objects: readonly KubeObject[], claims: readonly KubeObject[]) {
  const world = {
    objects,
    definitions: definitions(),
    compositions: compositions(),
    functions: inProcess,
    now: new Date('2026-02-01T00:00:00Z'),
  };
  return planClaims(world, claims);
}
