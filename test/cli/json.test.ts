/** What programs read: with -o json, standard output is one document and nothing else, whatever the outcome. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { wordsOf } from '../../cli/completion/words.ts';
import { createProgram } from '../../cli/program.ts';
import { slipway } from './slipway.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
const REFUSED = join(folder, 'refused.yaml');
writeFileSync(REFUSED, readFileSync('examples/aws/cluster.yaml', 'utf8').replace('class: standard', 'class: standrad'));

/** Outcomes of each command: nothing to say, something to say, and something refused. */
const OUTCOMES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  simulate: [['examples/aws'], ['examples/aws', '--for', '40s'], [REFUSED, '--for', '2m']],
  validate: [['examples/aws'], [REFUSED]],
  describe: [
    ['cluster', 'prod', 'examples/aws'],
    ['cluster/prod', 'examples/aws', '--for', '40s'],
    ['cl', 'prod', REFUSED, '--for', '2m'],
  ],
  plan: [['examples/aws'], [REFUSED]],
  matrix: [[]],
};

const formatsOf = (name: string): readonly string[] =>
  wordsOf(createProgram())
    .find((command) => command.name === name)
    ?.options.find(({ flags }) => flags.includes('--output'))?.values ?? [];

const cases = createProgram()
  .commands.map((command) => command.name())
  .flatMap((command) => formatsOf(command).map((format) => ({ command, format })))
  .filter(({ format }) => format === 'json' || format === 'yaml')
  .flatMap((one) => (OUTCOMES[one.command] ?? []).map((args) => ({ ...one, args })));

test('every command that has -o json is tried', () => {
  const named = createProgram().commands.map((command) => command.name());
  expect(named.filter((name) => formatsOf(name).includes('json'))).toEqual(Object.keys(OUTCOMES));
});

test.for(cases)('slipway $command $args -o $format prints one document', async ({ command, format, args }) => {
  const { stdout } = await slipway(command, ...args, '-o', format);
  expect(stdout.endsWith('\n')).toBe(true);
  const documents =
    format === 'json' ? [JSON.parse(stdout) as unknown] : parseAllDocuments(stdout).map((one) => one.toJS() as unknown);
  expect(documents).toHaveLength(1);
  expect(documents[0]).toBeTypeOf('object');
});

test.for(Object.keys(OUTCOMES))('slipway %s -o json prints no document where it fails', async (command) => {
  const { stdout, stderr, code } = await slipway(command, '-o', 'json', '--nonsense');
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  expect(stderr).toContain('--nonsense');
});

test.for([
  { args: ['simulate', REFUSED, '--for', '2m'] },
  { args: ['describe', 'cluster', 'prod', REFUSED, '--for', '2m'] },
])('slipway $args says why something is not ready, as people are told', async ({ args }) => {
  const facts = JSON.parse((await slipway(...args, '-o', 'json')).stdout) as {
    readonly ready: boolean;
    readonly reasons: readonly Record<string, unknown>[];
  };
  expect(Object.keys(facts).slice(0, 2)).toEqual(['ready', 'reasons']);
  expect(facts.reasons).toEqual([
    {
      kind: 'Cluster',
      namespace: 'team-a',
      name: 'prod',
      reason: 'InvalidClaim',
      message: expect.stringContaining('standrad') as string,
      file: REFUSED,
      line:
        readFileSync(REFUSED, 'utf8')
          .split('\n')
          .findIndex((line) => line.includes('standrad')) + 1,
    },
  ]);
  expect((await slipway(...args)).stdout).toContain(`Not ready: ${String(facts.reasons[0]?.['message'])}`);
});

test('nothing is a reason where everything is ready', async () => {
  const { stdout } = await slipway('describe', 'cluster', 'prod', 'examples/aws', '-o', 'json');
  expect(JSON.parse(stdout)).toMatchObject({ ready: true, reasons: [] });
});
