/** docs/upgrade.md installs every package of a release, for upgrades and downgrades. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { releaseOf } from '../../package/build/catalog.ts';
import { commandsOf } from '../e2e/cases/documented.ts';

const PAGE = 'docs/upgrade.md';
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

const FLAVOUR = 'configuration-slipway-aws';

const broughtBy = (heading: string): readonly string[] => commandsOf(PAGE, heading).flatMap(updates);

test.for(['Upgrade', 'Roll back'])('"%s" updates every package of the release, the flavour first', (heading) => {
  const packages = broughtBy(heading).map((reference) => reference.split(':')[0] ?? '');
  expect(packages.toSorted()).toEqual(
    releaseOf(FLAVOUR)
      .map(({ name }) => name)
      .toSorted(),
  );
  expect(packages[0]).toBe(FLAVOUR);
});

test.for(['Upgrade', 'Roll back'])('"%s" installs one version', (heading) => {
  expect(new Set(broughtBy(heading).map((reference) => reference.split(':')[1])).size).toBe(1);
});

test('"Roll back" goes to the version of the install page', () => {
  expect(broughtBy('Roll back')[0]).toBe(`configuration-slipway-aws:v${version}`);
});

test('the APIs are upgraded before the functions, and rolled back after them', () => {
  const order = (heading: string): readonly string[] =>
    broughtBy(heading).map((reference) => (reference.startsWith('function-') ? 'function' : reference.split(':')[0]!));
  expect([...new Set(order('Upgrade'))]).toEqual([FLAVOUR, 'configuration-slipway', 'function']);
  expect([...new Set(order('Roll back'))]).toEqual([FLAVOUR, 'function', 'configuration-slipway']);
});

/** `name:version` of each package that a command updates; loops are expanded. */
function updates(command: string): readonly string[] {
  const reference = /xpkg update \w+ "?xpkg\.crossplane\.io\/slipway\/(?<reference>[^\s"]+)/.exec(command)?.groups?.[
    'reference'
  ];
  if (reference === undefined) return [];
  const names = /^for name in (?<names>[^;]+);/.exec(command)?.groups?.['names']?.trim().split(/\s+/);
  return (names ?? ['']).map((name) => reference.replace('$name', name));
}
