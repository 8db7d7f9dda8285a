/** The pools of docs/machine-options.md, as its files have them, on every cloud: where they are honoured, they become Ready. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conditionOf } from '#lib/api/conditions.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import { LABEL } from '#lib/api/words.ts';
import type { DiskType } from '#lib/cloud/disk-types.ts';
import { nativeNamesOf } from '#clouds/native-names.ts';
import { readObjects } from '../../cli/files/read-objects.ts';
import { ROOT } from '../../cli/files/repository.ts';
import { exampleClaims, installedEngine } from '../support/example.ts';
import { codeIn, tableIn } from './pages.ts';

const FOLDER = join(ROOT, 'docs/machine-options');
const POOLS = readObjects([FOLDER]);

/** The pools for another flavour, each of one machine, and a Cluster of one. */
function claims(flavour: string): readonly KubeObject[] {
  const crossplane = { compositionSelector: { matchLabels: { [LABEL.flavor]: flavour } } };
  const pools = POOLS.map((pool) => ({ ...pool, spec: { ...pool.spec, crossplane, replicas: 1 } }));
  const others = exampleClaims(flavour).flatMap((object): readonly KubeObject[] => {
    if (object.kind === 'NodePool') return [];
    if (object.kind !== 'Cluster') return [object];
    const controlPlane = { ...(object.spec?.['controlPlane'] as JsonObject), replicas: 1 };
    return [{ ...object, spec: { ...object.spec, controlPlane } }];
  });
  return [...others, ...pools];
}

/** Names of the pools whose condition has this status, sorted, once every pool has it or an hour is over. */
async function poolsWith(
  flavour: string,
  condition: string,
  status: string,
  count = NAMES.length,
): Promise<readonly string[]> {
  const engine = installedEngine();
  for (const claim of claims(flavour)) engine.apply(claim);
  const found = (): readonly string[] =>
    engine
      .list({ apiVersion: 'slipway.dev/v1alpha1', kind: 'NodePool' })
      .filter((pool) => conditionOf(pool, condition)?.status === status)
      .map(({ metadata }) => metadata?.name ?? '')
      .filter((name) => NAMES.includes(name))
      .toSorted();
  await engine.runUntil(() => found().length === count, { limitSeconds: 3600 });
  return found();
}

const NAMES = POOLS.map(({ metadata }) => metadata?.name ?? '').toSorted();

/** What a disk of a type needs, as the page says it; `none`: there is no such disk. */
function needsOf(type: DiskType | undefined, smallest: number): string {
  if (type === undefined) return 'none';
  const { smallestGiB = 0, largestGiB, needs } = type;
  if (needs !== undefined) return `override of \`${needs.path.join('.')}\` of \`${needs.kind}\``;
  if (largestGiB !== undefined) return `at most ${largestGiB} GiB`;
  const least = Math.max(smallestGiB, smallest);
  return least === 0 ? 'any size' : `at least ${least} GiB`;
}

test('the page says of every type of disk what it needs', () => {
  const known = Object.entries({ AWS: 'aws', Azure: 'azure', GCP: 'gcp' }).flatMap(([title, cloud]) => {
    const { root, data, smallestRootGiB = 0 } = nativeNamesOf(cloud)!.diskTypes!;
    const names = [...new Set([...Object.keys(root), ...Object.keys(data)])];
    return names.map((name) => [title, name, needsOf(root[name], smallestRootGiB), needsOf(data[name], 0)]);
  });
  const said = tableIn('docs/machine-options.md', 'cloud', '`type`').flatMap(([cloud = '', types = '', ...needs]) =>
    codeIn(types).map((type) => [cloud, type, ...needs]),
  );
  const lines = (rows: readonly (readonly string[])[]) => rows.map((cells) => cells.join(' | ')).toSorted();
  expect(lines(said)).toEqual(lines(known));
});

describe('the pools of the page', () => {
  test('are those of its files', () => {
    const page = readFileSync(`${FOLDER}.md`, 'utf8');
    for (const name of ['spot.yaml', 'data-disks.yaml'])
      expect(page).toContain(readFileSync(join(FOLDER, name), 'utf8'));
    expect(NAMES).toEqual(['prod-database', 'prod-spot']);
  });

  test.each(['aws', 'azure', 'gcp'])('become Ready on %s', async (flavour) => {
    expect(await poolsWith(flavour, 'Ready', 'True')).toEqual(NAMES);
  });

  test('become Ready on existing hosts, except for spot machines, which are refused', async () => {
    expect(await poolsWith('existing', 'Ready', 'True', 1)).toEqual(['prod-database']);
    expect(await poolsWith('existing', 'ClaimAccepted', 'False', 1)).toEqual(['prod-spot']);
  });
});
