/** The command line as npm starts it: from any folder of the clone, with or without the two dashes. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { refuseTaken } from '../../cli/npm.ts';
import type { Ran } from './slipway.ts';
import { ROOT } from './slipway.ts';

const SHOP = 'docs/tutorial/shop.yaml';
const folder = mkdtempSync(join(tmpdir(), 'slipway-npm-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Without what the npm that runs these tests says. */
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:npm_|INIT_CWD$)/i.test(name))),
  NO_COLOR: '1',
  PATH: [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
};

/** @param cwd the folder that the user is in */
function npmRun(args: readonly string[], cwd = ROOT, set: NodeJS.ProcessEnv = {}): Ran {
  const ran = spawnSync('npm', ['run', '--silent', 'slipway', ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...environment, ...set },
  });
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

const says = (flag: string, command: string): string =>
  `slipway: cannot accept ${flag}: npm took it for itself; accepted: -- before the command: npm run slipway -- ${command} …\n`;

describe('an option that npm takes is refused, whatever its value looks like', () => {
  test.for([
    { args: ['plan', SHOP, '--observed', 'before.yaml'], flag: '--observed' },
    { args: ['validate', SHOP, '-o', 'json'], flag: '-o' },
    { args: ['validate', SHOP, '--output=json'], flag: '--output' },
    { args: ['describe', 'cluster', 'shop', SHOP, '--show-conditions'], flag: '--show-conditions' },
  ])('$args', ({ args, flag }) => {
    const { code, stdout, stderr } = npmRun(args);
    expect(stderr).toContain(says(flag, args[0] ?? ''));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  const taken = (name: string, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
    npm_lifecycle_event: 'slipway',
    npm_package_name: 'slipway',
    [`npm_config_${name}`]: 'true',
    ...env,
  });
  const refuses =
    (env: NodeJS.ProcessEnv, command = 'validate') =>
    (): void =>
      refuseTaken([command, SHOP], createProgram(), env);
  const refusal = (flag: string, command = 'validate'): string => says(flag, command).slice('slipway: '.length, -1);
  const flags = createProgram().commands.flatMap((one) =>
    one.options.map(({ long }) => [one.name(), long ?? ''] as const),
  );
  const setting = (flag: string): string => flag.slice(2).replaceAll('-', '_');

  test.for(flags.filter(([, flag]) => flag !== '--save'))('%s %s', ([command, flag]) => {
    expect(refuses(taken(setting(flag)), command)).toThrow(refusal(flag, command));
  });

  test('npm has --save itself', () => {
    expect(refuses(taken('save'), 'simulate')).not.toThrow();
  });

  test('a setting of the user, and what another script got, are none of them', () => {
    const file = join(folder, '.npmrc');
    writeFileSync(file, 'fund=false\n debug = true\n');
    expect(refuses(taken('debug'))).toThrow(refusal('--debug'));
    expect(refuses(taken('debug', { npm_config_userconfig: file }))).not.toThrow();
    expect(refuses(taken('debug', { npm_lifecycle_event: 'test' }))).not.toThrow();
    expect(refuses(taken('debug', { npm_package_name: 'platform' }))).not.toThrow();
  });
});

describe('paths are seen from the folder that the user is in', () => {
  const docs = join(ROOT, 'docs');

  test('those that are read', () => {
    expect(npmRun(['--', 'validate', 'tutorial/shop.yaml'], docs)).toMatchObject({ code: 0 });
    expect(npmRun(['--', 'validate', SHOP], docs)).toMatchObject({
      code: 2,
      stderr: `slipway: cannot read "${SHOP}": no such file or folder\n`,
    });
  });

  test('those that are written, and the places that are printed', () => {
    const claim = readFileSync(join(ROOT, SHOP), 'utf8').replace('replicas: 1', 'replicas: -1');
    writeFileSync(join(folder, 'shop.yaml'), claim);
    const args = ['--', 'validate', 'shop.yaml', '--output-file', 'found.txt'];
    expect(npmRun(['--prefix', ROOT, ...args], folder)).toMatchObject({ code: 1 });
    expect(readFileSync(join(folder, 'found.txt'), 'utf8')).toContain('"shop.yaml", line ');
  });
});
