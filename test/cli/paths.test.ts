/** Paths of a command line: refused before any work if their content would be lost, by one rule for all commands. */
import { linkSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { PATHS } from '../../cli/paths.ts';
import { slipway } from './slipway.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
const at = (...names: readonly string[]): string => join(folder, ...names);
const CLAIMS = readFileSync('examples/aws/cluster.yaml', 'utf8');
writeFileSync(at('claims.yaml'), CLAIMS);
mkdirSync(at('folder'));
symlinkSync(at('claims.yaml'), at('link.yaml'));
linkSync(at('claims.yaml'), at('same.yaml'));

const COMMANDS: readonly { readonly command: string; readonly args: readonly string[] }[] = [
  { command: 'simulate', args: [at('claims.yaml')] },
  { command: 'validate', args: [at('claims.yaml')] },
  { command: 'describe', args: ['cluster/prod', at('claims.yaml')] },
  { command: 'payload', args: [at('claims.yaml')] },
  { command: 'plan', args: [at('claims.yaml')] },
  { command: 'render', args: [at('claims.yaml'), 'compositions/aws/cluster.yaml'] },
  { command: 'matrix', args: [] },
  { command: 'functions', args: [] },
  { command: 'completion', args: ['bash'] },
];

test('every command is tried', () => {
  expect(COMMANDS.map(({ command }) => command)).toEqual(createProgram().commands.map((one) => one.name()));
});

const UNWRITABLE = [
  { path: '/nowhere/result', cause: 'no such file or folder' },
  { path: at('folder'), cause: 'it is a folder' },
  { path: `${at('new')}/`, cause: 'no such file or folder' },
  { path: at('claims.yaml', 'result'), cause: 'a part of its path is not a folder' },
  { path: at('x'.repeat(300)), cause: 'its name is too long' },
  { path: '', cause: 'the path is empty; accepted: a file' },
];

test.for(COMMANDS.flatMap((one) => UNWRITABLE.map((other) => ({ ...one, ...other }))))(
  '$command --output-file $path is refused before any work: $cause',
  async ({ command, args, path, cause }) => {
    const ran = await slipway(command, ...args, '--output-file', path);
    expect(ran).toEqual({ code: 2, stdout: '', stderr: `slipway: cannot write "${path}": ${cause}\n` });
  },
);

test.for(UNWRITABLE)('so is --save $path: $cause', async ({ path, cause }) => {
  const ran = await slipway('simulate', 'examples/aws', '--save', path);
  expect(ran).toEqual({ code: 2, stdout: '', stderr: `slipway: cannot write "${path}": ${cause}\n` });
});

test.for(COMMANDS.filter(({ args }) => args.includes(at('claims.yaml'))))(
  '$command does not overwrite what it reads, whatever its name',
  async ({ command, args }) => {
    for (const path of ['claims.yaml', 'link.yaml', 'same.yaml', 'folder/../claims.yaml'].map((name) => at(name))) {
      const { code, stderr } = await slipway(command, ...args, '--output-file', path);
      expect(stderr).toBe(`slipway: cannot write "${path}": the command reads it; accepted: another file\n`);
      expect(code).toBe(2);
    }
    expect(readFileSync(at('claims.yaml'), 'utf8')).toBe(CLAIMS);
  },
);

test.for([
  { what: 'a file of a folder', args: ['plan', folder, '--output-file', at('claims.yaml')] },
  {
    what: 'an edit',
    args: ['simulate', 'examples/aws', '--apply', `${at('claims.yaml')}@5m`, '--save', at('same.yaml')],
  },
  {
    what: 'what exists',
    args: ['plan', 'examples/aws', '--observed', at('claims.yaml'), '--output-file', at('same.yaml')],
  },
  { what: 'a Secret', args: ['payload', '--secret', at('claims.yaml'), '--output-file', at('same.yaml')] },
])('$what is not overwritten either', async ({ args }) => {
  expect((await slipway(...args)).stderr).toMatch(/cannot write ".*": the command reads it; accepted: another file\n$/);
});

test('a file of a folder that is not read, as it is no YAML file, is written', async () => {
  const claims = mkdtempSync(join(tmpdir(), 'slipway-'));
  const notes = join(claims, 'README.md');
  writeFileSync(join(claims, 'claims.yaml'), CLAIMS);
  writeFileSync(notes, 'before');
  expect(await slipway('validate', claims, '--output-file', notes)).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(notes, 'utf8')).toBe('1 claim: nothing is refused\n');
});

test('the result and the objects of a simulation are two files', async () => {
  const twice = [at('new.yaml'), at('folder', '..', 'new.yaml')] as const;
  const ran = await slipway('simulate', 'examples/aws', '--output-file', twice[0], '--save', twice[1]);
  expect(ran.stderr).toBe(
    `slipway: cannot write "${twice[1]}": --output-file and --save name the same file; accepted: two files\n`,
  );
  const both = await slipway(
    'simulate',
    'examples/aws',
    '--output-file',
    '/dev/null',
    '--save',
    '/dev/null',
    '--for',
    '5s',
  );
  expect(both.stderr).toContain('wrote');
});

test('--output-file - is standard output, which --save cannot be', async () => {
  expect((await slipway('matrix', '--output-file', '-')).stdout).toBe((await slipway('matrix')).stdout);
  expect((await slipway('simulate', 'examples/aws', '--save', '-')).stderr).toBe(
    'slipway: cannot accept --save "-": standard output has the result; accepted: a file\n',
  );
});

test.for(
  [
    ['simulate', '-', '-'],
    ['simulate', '-', '--apply', '-@5m'],
    ['simulate', '--apply', '-@5m', '--apply', '-@6m', 'examples/aws'],
    ['validate', '-', '-'],
    ['validate', '-f', '-', '-'],
    ['describe', 'cluster', 'prod', '-', '-'],
    ['describe', 'cluster/prod', '-', '-'],
    ['describe', 'cluster/prod', '-f', '-', '-'],
    ['payload', '-', '-'],
    ['payload', '-', '--secret', '-'],
    ['plan', '-', '-'],
    ['plan', '-', '--observed', '-'],
    ['plan', '-', '--delete', '-'],
    ['render', '-', '-'],
    ['render', '-', 'compositions/aws/cluster.yaml', '-e', '-'],
  ].map((args) => ({ args })),
)('standard input is read once only: slipway $args', async ({ args }) => {
  const { code, stderr } = await slipway(...args);
  expect(stderr).toMatch(/^slipway: cannot .*: standard input is given twice; accepted: - once\n$/);
  expect(code).toBe(2);
});

test('the rule knows every option and argument that is a path', () => {
  const known = new Set<string>([...PATHS.read, ...PATHS.written]);
  // A folder cannot be standard input, and a kubeconfig is not read as YAML of claims.
  const others = new Set(['compositions', 'kubeconfig']);
  const names = createProgram().commands.flatMap(({ options, registeredArguments }) => [
    ...options.filter(({ flags }) => /<(path|file|folder)\b/.test(flags)).map((option) => option.attributeName()),
    ...registeredArguments.filter(({ description }) => /\bfiles?\b/i.test(description)).map((one) => one.name()),
  ]);
  expect(names.filter((name) => !known.has(name) && !others.has(name))).toEqual([]);
  expect(names).toContain('files');
});
