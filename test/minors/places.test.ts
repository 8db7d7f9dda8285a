/** What is supported has everything, and a newer minor version says what it lacks. */
import { expect, test } from 'vitest';
import { readObjects } from '../../cli/files/read-objects.ts';
import { stringAt } from '#lib/api/json.ts';
import { globSync } from 'node:fs';
import { minor } from 'semver';
import { places } from './places.ts';
import { BEFORE, CURRENT, SUPPORTED } from './supported.ts';
import { table } from './table.ts';
import { byMinor } from './upstream.ts';

/** What is missing on purpose. */
const MISSING: Readonly<Record<string, readonly string[]>> = {
  // Only the last two minor versions are booted.
  'real nodes': ['1.35'],
  // Talos 1.14 is the first release that runs it.
  'Talos 1.13': ['1.37'],
};

test('every place has something for every supported minor version', () => {
  const lacking = Object.fromEntries(
    places().flatMap(({ name, has }) => {
      const lacks = Object.entries(SUPPORTED).flatMap(([key, release]) => (has(key, release) ? [] : [key]));
      return lacks.length === 0 ? [] : [[name, lacks]];
    }),
  );
  expect(lacking).toEqual(MISSING);
});

test('the supported minor versions follow each other, and the last two are booted', () => {
  const minors = Object.values(SUPPORTED).map((one) => minor(one));
  expect(minors).toEqual(minors.map((_, index) => minors[0]! + index));
  expect(
    Object.entries(SUPPORTED)
      .map(([key, one]) => [key, `1.${minor(one)}`])
      .filter(([key, own]) => key !== own),
  ).toEqual([]);
  expect([BEFORE, CURRENT]).toEqual(Object.values(SUPPORTED).slice(-2));
});

test('examples claim the current minor version', () => {
  const claimed = globSync('examples/{aws,azure,gcp,existing}/**/cluster.yaml')
    .flatMap((file) => readObjects([file]))
    .flatMap(({ kind, spec }) => (kind === 'Cluster' ? [stringAt(spec, 'version') ?? ''] : []));
  expect(claimed.length).toBeGreaterThan(3);
  expect(new Set(claimed.map((one) => minor(one)))).toEqual(new Set([minor(CURRENT)]));
});

test('a minor version that nobody prepared is in the table with what is open', () => {
  const lines = table(new Map([['1.99', 'v1.99.0']])).split('\n');
  expect(lines.find((line) => line.startsWith('images of aws'))).toMatch(/ no$/);
  expect(lines.find((line) => line.startsWith('tigera-operator of gcp'))).toMatch(/ no$/);
  expect(lines.find((line) => line.startsWith('flags that Kubernetes removed'))).toMatch(/ no$/);
  expect(lines.find((line) => line.startsWith('kubeadm'))).toMatch(/ yes$/);
});

test('the newest release of each minor version, and nothing before its release', () => {
  const listed = ['', 'v1.36.1', 'v1.38.0-beta.0', 'v1.36.3', 'v1.37.2', 'v1.37.1'];
  expect([...byMinor(listed)]).toEqual([
    ['1.37', 'v1.37.2'],
    ['1.36', 'v1.36.3'],
  ]);
});
