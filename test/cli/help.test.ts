/** The help of each command and the version, in each way that they are asked for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wordsOf } from '../../cli/completion/words.ts';
import { createProgram } from '../../cli/program.ts';
import { ROOT, slipway } from './slipway.ts';

describe('help', () => {
  test.for([
    [],
    ['simulate'],
    ['validate'],
    ['describe'],
    ['payload'],
    ['plan'],
    ['render'],
    ['matrix'],
    ['functions'],
    ['completion'],
  ])('of "slipway %s" matches the golden file', async (command) => {
    const { code, stdout } = await slipway(...command, '--help');
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot(`golden/help-${command[0] ?? 'slipway'}.txt`);
  });
});

test('shows the help of a command in two ways', async () => {
  expect((await slipway('help', 'plan')).stdout).toBe((await slipway('plan', '--help')).stdout);
});

test('every command says in the same words where its help is', async () => {
  for (const { name } of wordsOf(createProgram())) {
    const { stderr } = await slipway(name, '--nonsense');
    expect(stderr).toBe(`slipway: unknown option "--nonsense"\n  see slipway ${name} --help\n`);
  }
});

test('slipway prints its version', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(await slipway('--version')).toMatchObject({ code: 0, stdout: `slipway ${version}\n` });
});

test.for([['version'], ['-v'], ['-V'], ['--version']])('slipway %s prints the version', async ([word = '']) => {
  expect(await slipway(word)).toEqual({ code: 0, stdout: 'slipway 0.1.0\n', stderr: '' });
});
