/** The completion scripts, tried in the shells that are installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { SHELLS } from '../../cli/completion/shells.ts';
import { slipway } from './slipway.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-completion-'));
const script = (shell: string): string => join(folder, `_slipway.${shell}`);
const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

beforeAll(async () => {
  for (const shell of SHELLS) writeFileSync(script(shell), (await slipway('completion', shell)).stdout);
});

describe.skipIf(!has('bash'))('bash completes', () => {
  const completed = (...words: readonly string[]): readonly string[] => {
    const line = ['slipway', ...words].map((word) => `'${word}'`).join(' ');
    const body = `source ${script('bash')}; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _slipway; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', body], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trim().split('\n');
  };

  it.for([
    { words: ['p'], found: ['payload', 'plan'] },
    { words: ['plan', '--obs'], found: ['--observed'] },
    { words: ['plan', '-o', ''], found: ['table', 'json', 'yaml', 'markdown'] },
    { words: ['plan', '--output', '='], found: ['table', 'json', 'yaml', 'markdown'] },
    { words: ['plan', '--output', '=', 'm'], found: ['markdown'] },
    { words: ['plan', '--delete', 'Clu'], found: ['Cluster/'] },
    { words: ['plan', '--delete', 'Mach'], found: [''] },
    { words: ['plan', '--delete', 'package-'], found: ['package-lock.json'] },
    { words: ['simulate', '--delete', 'Ma'], found: ['Machine/'] },
    { words: ['simulate', '--fail', 'failed-'], found: ['failed-creates=', 'failed-updates='] },
    { words: ['describe', 'n'], found: ['nodepool'] },
    { words: ['completion', ''], found: ['bash', 'zsh', 'fish'] },
    { words: ['help', 'mat'], found: ['matrix'] },
    { words: ['plan', 'packa'], found: ['package', 'package-lock.json', 'package.json'] },
  ])('$words', ({ words, found }) => {
    expect([...completed(...words)].toSorted()).toEqual([...found].toSorted());
  });
});

describe.skipIf(!has('fish'))('fish completes (skipped where fish is not installed)', () => {
  it.for([
    { line: 'slipway p', found: ['payload', 'plan'] },
    { line: 'slipway plan --output ', found: ['json', 'markdown', 'table', 'yaml'] },
    { line: 'slipway describe n', found: ['nodepool'] },
  ])('$line', ({ line, found }) => {
    const { stdout } = spawnSync('fish', ['-c', `source ${script('fish')}; complete -C '${line}'`], {
      encoding: 'utf8',
      cwd: folder,
    });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((one) => one.split('\t')[0]),
    ).toEqual(expect.arrayContaining(found));
  });
});

it.skipIf(!has('zsh'))('zsh accepts its script (skipped where zsh is not installed)', () => {
  const body = `autoload -Uz compinit; compinit -u -d ${folder}/dump; source ${script('zsh')}; print -r -- $_comps[slipway]`;
  expect(spawnSync('zsh', ['-fc', body], { encoding: 'utf8' })).toMatchObject({ stdout: '_slipway\n', stderr: '' });
});
