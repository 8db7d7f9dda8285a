/** What every command prints fits the terminal, and a terminal or file that knows no escape codes gets none. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { widthOf } from '../../cli/terminal/width.ts';
import { createProgram } from '../../cli/program.ts';
import { ROOT, slipway, slipwayOn, type Terminal } from './slipway.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
const REFUSED = join(folder, 'refused.yaml');
const BEFORE = join(folder, 'before.yaml');

/** A Cluster with one pool, both of a class that nobody maps. */
const CLAIMS = `
apiVersion: slipway.dev/v1alpha1
kind: Cluster
metadata: { name: prod, namespace: team-a }
spec:
  crossplane: { compositionSelector: { matchLabels: { slipway.dev/flavor: aws } } }
  version: v1.35.4
  region: eu-west
  controlPlane: { replicas: 3, machine: { class: standrad-2 }, allowedCIDRs: [10.0.0.0/8] }
  bootstrap: { provider: kubeadm }
  provisioning: { format: cloud-init }
---
apiVersion: slipway.dev/v1alpha1
kind: NodePool
metadata: { name: prod-general, namespace: team-a }
spec: { clusterRef: { name: prod }, replicas: 1, machine: { class: standrad-4 } }
`;

const BROKEN = join(folder, 'broken.yaml');
const POOL = join(folder, 'pool.yaml');
writeFileSync(POOL, CLAIMS.split('---')[1] ?? '');
writeFileSync(BROKEN, 'kind: Cluster\nmetadata: {name: a, labels: [}');

/** What programs read: its lines are as they are on every terminal; what is said about it goes to standard error. */
const READ: readonly { readonly args: readonly string[] }[] = [
  ['payload', 'examples/aws'],
  ['render', 'examples/aws/cluster.yaml', 'compositions/aws/cluster.yaml'],
  ['render', POOL, 'compositions/aws/nodepool.yaml', '--now', '2026-01-01T00:00:00Z'],
  ['completion', 'bash'],
  ['validate', REFUSED, '-o', 'yaml'],
  ['plan', REFUSED, '-o', 'markdown'],
  ['simulate', REFUSED, '--for', '2m', '-o', 'json'],
].map((args) => ({ args }));

/** Errors of each kind: of the command line, of its files, of a claim. */
const ERRORS: readonly { readonly args: readonly string[] }[] = [
  ['help', 'simulat'],
  ['completion'],
  ['describe'],
  ['describe', 'machine', 'nobody-of-a-pool-at-all', 'examples/aws'],
  ['simulate', 'examples/aws', '--fail', 'everything=1'],
  ['simulate', 'examples/aws', '--delete', 'Cluster/prod@20s', '--for', '10s'],
  ['validate', BROKEN],
  ['validate', 'examples/aws', '--output-file', join(folder, 'nowhere', 'result.txt')],
  ['plan'],
  ['payload', '-', '-'],
  ['render', 'examples/aws/cluster.yaml', 'examples/aws/cluster.yaml'],
  ['matrix', 'kubeadm'],
  ['functions', '--base-port', '1'],
].map((args) => ({ args }));

/** Commands that print for people. */
const SAID: readonly { readonly args: readonly string[] }[] = [
  ...['', ...createProgram().commands.map((command) => command.name())].map((name) => [name, '--help'].filter(Boolean)),
  ['matrix'],
  ['validate', 'examples/aws'],
  ['validate', REFUSED],
  ['simulate', REFUSED, '--for', '2m'],
  ['simulate', 'examples/aws', '--for', '40s'],
  ['simulate', 'examples/existing'],
  ['describe', 'cluster', 'prod', REFUSED, '--for', '1m', '--show-conditions'],
  ['describe', 'cluster', 'prod', 'examples/existing', '--for', '1m'],
  ['plan', REFUSED],
  ['plan', 'examples/existing'],
  ['plan', 'examples/existing/edits/label.yaml', '--observed', BEFORE],
  ['plan', '--delete', 'examples/existing', '--observed', BEFORE],
].map((args) => ({ args }));

beforeAll(async () => {
  writeFileSync(REFUSED, CLAIMS);
  await slipway('simulate', 'examples/existing', '--for', '4m', '--save', BEFORE);
}, 120_000);

// oxlint-disable-next-line no-control-regex -- escape sequences begin with the control character
const CODES = /\u001B\[[0-9;]*[A-Za-z]/g;

describe.for([40, 80, 200])('on a terminal of %i columns', (columns) => {
  test.for(SAID)('no line is wider than it: slipway $args', { timeout: 60_000 }, async ({ args }) => {
    const { stdout, stderr } = await slipwayOn({ columns }, ...args);
    expect(stdout, 'it said something').not.toBe('');
    const lines = `${stdout}${stderr}`.replaceAll(CODES, '').split(/[\r\n]/);
    const wide = lines.filter((line) => widthOf(line) > columns);
    // A path in an example is pasted into a shell, so it is not broken.
    expect(wide.filter((line) => !(args.includes('--help') && /^ +\S+$/.test(line)))).toEqual([]);
  });

  test.for(ERRORS)('no error is wider than it: slipway $args', async ({ args }) => {
    const { stdout, stderr } = await slipwayOn({ columns }, ...args);
    expect(stdout).toBe('');
    expect(stderr.split('\n').filter((line) => widthOf(line) > columns)).toEqual([]);
  });

  test.for(READ)('nothing about it is wider: slipway $args', async ({ args }) => {
    const { stderr } = await slipwayOn({ columns }, ...args);
    const lines = stderr.replaceAll(CODES, '').split(/[\r\n]/);
    expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
  });
});

/** Terminals of every kind; one may say that it has no columns. */
const TERMINALS: readonly Terminal[] = [0, 40, 80, 200].flatMap((columns) => [
  { columns },
  { columns, term: 'dumb' },
  { columns, noColor: '1' },
]);

describe('whatever the terminal', () => {
  /** Breaks and colours are not words; nor does a long word end where its line does. */
  const letters = (text: string): string => text.replaceAll(CODES, '').replaceAll(/[\s│├└─]/gu, '');
  const same = (text: string): string => Array.from(letters(text)).toSorted().join('');

  test.for(ERRORS)('an error has the same words, without colour: slipway $args', async ({ args }) => {
    const piped = await slipwayOn({}, ...args);
    expect(piped.stderr).toMatch(/^slipway: /);
    for (const terminal of TERMINALS) {
      const { stderr, code } = await slipwayOn(terminal, ...args);
      expect(letters(stderr)).toBe(letters(piped.stderr));
      expect(stderr).not.toContain('\u001B');
      expect(code).toBe(piped.code);
    }
  });

  // Tables of a plan and of the matrix become lists with other headings where they do not fit, and a simulation has a clock.
  const WORDS = SAID.filter(({ args }) => ['describe', 'validate'].includes(args[0] ?? '') && !args.includes('--help'));
  test.for(WORDS)('the result has the same words: slipway $args', { timeout: 120_000 }, async ({ args }) => {
    const piped = await slipwayOn({}, ...args);
    for (const terminal of TERMINALS) {
      const { stdout, code } = await slipwayOn(terminal, ...args);
      expect(same(stdout)).toBe(same(piped.stdout));
      expect(code).toBe(piped.code);
    }
  });

  // Each run makes keys of its own.
  const MAKES_KEYS = new Set(['payload', 'examples/aws/cluster.yaml']);
  test.for(READ.filter(({ args }) => !args.some((word) => MAKES_KEYS.has(word))))(
    'programs get the same bytes: slipway $args',
    async ({ args }) => {
      const piped = await slipwayOn({}, ...args);
      expect(piped.stdout).not.toContain('\u001B');
      for (const terminal of TERMINALS) expect((await slipwayOn(terminal, ...args)).stdout).toBe(piped.stdout);
    },
  );
});

describe('escape codes', () => {
  test.for([...SAID, ...READ])(
    'go to no pipe and to no dumb terminal, nor colours where nobody wants them: slipway $args',
    { timeout: 120_000 },
    async ({ args }) => {
      for (const terminal of [{}, { columns: 80, term: 'dumb' }]) {
        const { stdout, stderr } = await slipwayOn(terminal, ...args);
        expect(`${stdout}${stderr}`).not.toContain('\u001B');
      }
      const { stdout, stderr } = await slipwayOn({ columns: 80, noColor: '1' }, ...args);
      // oxlint-disable-next-line no-control-regex -- escape sequences begin with the control character
      expect(`${stdout}${stderr}`).not.toMatch(/\u001B\[[0-9;]*m/);
    },
  );

  it('do go to a terminal, so that the tests above can fail', async () => {
    const { stdout } = await slipwayOn({ columns: 80 }, 'validate', REFUSED);
    const tree = await slipwayOn({ columns: 80 }, 'simulate', REFUSED, '--for', '2m');
    expect(stdout).toContain('standrad-2');
    expect(tree.stdout).toMatch(CODES);
  });
});

const SCRIPT = spawnSync('script', ['--version']).status === 0;

test.skipIf(!SCRIPT)(
  `a real terminal is asked in the same way${SCRIPT ? '' : ': skipped, there is no script here'}`,
  () => {
    const run = (setting: string) => {
      const command = `stty cols 40; ${setting} "${process.execPath}" cli/main.ts matrix`;
      return spawnSync('script', ['-qec', command, '/dev/null'], { cwd: ROOT, encoding: 'utf8', input: '' }).stdout;
    };
    const shown = run('NO_COLOR= TERM=xterm');
    expect(shown).toMatch(CODES);
    expect(
      shown
        .replaceAll(CODES, '')
        .split(/\r?\n/)
        .filter((line) => widthOf(line) > 40),
    ).toEqual([]);
    expect(run('TERM=dumb')).not.toContain('\u001B');
  },
);
