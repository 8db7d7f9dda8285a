/** What every command prints fits the terminal, and a terminal or file that knows no escape codes gets none. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { widthOf } from '../../cli/terminal/width.ts';
import { createProgram } from '../../cli/program.ts';
import { ROOT, slipway, slipwayOn } from './slipway.ts';

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

/** Commands that print for people; what others print is read by programs, which need its lines as they are. */
const SAID: readonly { readonly args: readonly string[] }[] = [
  ...['', ...createProgram().commands.map((command) => command.name())].map((name) => [name, '--help'].filter(Boolean)),
  ['matrix'],
  ['validate', 'examples/aws'],
  ['validate', REFUSED],
  ['simulate', REFUSED, '--for', '2m'],
  ['simulate', 'examples/aws', '--for', '40s'],
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
    const { stdout } = await slipwayOn({ columns }, ...args);
    expect(stdout, 'it said something').not.toBe('');
    const lines = stdout.replaceAll(CODES, '').split(/[\r\n]/);
    const wide = lines.filter((line) => widthOf(line) > columns);
    // A path in an example is pasted into a shell, so it is not broken.
    expect(wide.filter((line) => !(args.includes('--help') && /^ +\S+$/.test(line)))).toEqual([]);
  });
});

describe('escape codes', () => {
  test.for(SAID)(
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
