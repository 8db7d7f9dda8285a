/** The page about security names a test for each of its promises: the test exists, with that very title. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { ROOT } from '../../cli/files/repository.ts';
import { CLUSTER_INPUT } from '#lib/cloud/cluster-input.ts';
import { AddOnsInput } from '../../functions/addons/input.ts';
import { NodePoolInput } from '../../functions/nodepool/input.ts';
import { proseOf, tableIn } from './pages.ts';

const PAGE = 'docs/security.md';
const LINK = /\[(?<title>[^\]]+)\]\((?<path>[^)\s]+\.ts)\)/g;
/** A test, a case of a laboratory, or an invariant of the simulation. */
const TRIES =
  /\.test\.ts$|^test\/(?:e2e|nodes)\/cases\/|^test\/(?:sim\/invariants|provider-node\/(?:joins|impostors|records))\.ts$/;

interface Named {
  readonly title: string;
  readonly path: string;
}

function namedIn(text: string): readonly Named[] {
  return [...text.matchAll(LINK)]
    .map(({ groups = {} }) => ({
      title: groups['title'] ?? '',
      path: join(dirname(PAGE), groups['path'] ?? ''),
    }))
    .filter(({ path }) => TRIES.test(path));
}

/** Titles are quoted; those of a table may begin or end with words of a row. Invariants are functions. */
function exists({ title, path }: Named): boolean {
  if (!existsSync(join(ROOT, path))) return false;
  const source = readFileSync(join(ROOT, path), 'utf8');
  const quoted = [`'${title}'`, `"${title}"`, `\`${title}\``, `'%s: ${title}'`, `'$name: ${title}'`, `'${title}: $`];
  return quoted.some((text) => source.includes(text)) || new RegExp(`export function ${title}\\b`).test(source);
}

const shown = ({ title, path }: Named): string => `${path}: ${title}`;

test('every test that the page names exists', () => {
  const named = namedIn(proseOf(PAGE));
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((one) => !exists(one)).map(shown)).toEqual([]);
});

test.for([
  { title: 'a machine boots with a secret in its user data', path: 'clouds/aws/machine/hand-over.test.ts' },
  { title: 'tenant', path: 'test/e2e/cases/nowhere.ts' },
  { title: 'tries', path: 'test/nodes/cases/secrets.ts' },
])('$path has no test "$title"', (named) => {
  expect(exists(named)).toBe(false);
});

test('every border that something crosses has a test, or a word on who else limits it', () => {
  const rows = tableIn(PAGE, 'from', 'to');
  const processes = ['functions', 'Crossplane', 'provider-node', 'provider-helm', 'provider-kubernetes', 'the cloud'];
  const named = new Set(rows.flatMap(([from = '', to = '']) => `${from}, ${to}`.split(', ')));
  expect(processes.filter((one) => !named.has(one))).toEqual([]);
  const without = rows.filter(([, , , , by = '']) => namedIn(by).length === 0 && !by.startsWith('not by Slipway: '));
  expect(without).toEqual([]);
});

describe('the table of what others promise', () => {
  const rows = tableIn(PAGE, 'promise', 'Slipway');

  it('names a test wherever Slipway does it', () => {
    expect(rows.length).toBeGreaterThan(12);
    const without = rows.filter(([, slipway = '']) => /^(?:yes|but)/.test(slipway) && namedIn(slipway).length === 0);
    expect(without.map(([promise]) => promise)).toEqual([]);
  });

  it('says it where another does it better, and never that Slipway does it best', () => {
    expect(rows.filter((cells) => cells.slice(2).some((cell) => cell.startsWith('better')))).not.toEqual([]);
    expect(rows.filter(([, slipway = '']) => /best|better/.test(slipway))).toEqual([]);
  });
});

describe('a limit that a Composition may state', () => {
  const inputs = [CLUSTER_INPUT.limits, NodePoolInput.shape.limits, AddOnsInput.shape.limits];
  const limits = inputs.flatMap((one) => Object.keys(one.unwrap().shape));
  /** Claims name none unless a list says which, so a function refuses them without any policy. */
  const CLOSED = ['securityGroups', 'identities', 'loadBalancerTargets', 'resourceGroups', 'encryptionKeys'];
  const missing = (file: string): readonly string[] => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return limits.filter((one) => !new RegExp(`\\blimits\\.(?:\\?)?${one}\\b`).test(text));
  };

  it('is on the page about security', () => {
    expect(limits).toContain('diskTypes');
    expect(missing(PAGE)).toEqual([]);
  });

  it('is in the admission policies, unless it is closed by default', () => {
    expect(missing('docs/install/platform.yaml')).toEqual(CLOSED);
  });
});
