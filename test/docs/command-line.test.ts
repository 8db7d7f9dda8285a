/** The page about the command line lists every command, with its formats and exit codes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { wordsOf } from '../../cli/completion/words.ts';
import { ALL_EXIT_HELP, EXIT, PLAN_EXIT, SIGNAL_EXIT } from '../../cli/exit.ts';
import { createProgram } from '../../cli/program.ts';
import { ROOT, slipway } from '../cli/slipway.ts';
import { codeIn, tableIn } from './pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const PAGE = 'docs/command-line.md';
const commands = wordsOf(createProgram());
const rows = tableIn(PAGE, 'command', 'what it is for');
const helpOf = (name: string): string => {
  const command = createProgram().commands.find((one) => one.name() === name);
  let help = '';
  command?.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help;
};

test('every command, in the order of its help', () => {
  expect(rows.flatMap(([name = '']) => codeIn(name))).toEqual(commands.map(({ name }) => name));
});

test.for(rows.map(([name = '', , formats = '', exits = '']) => [codeIn(name)[0] ?? '', formats, exits] as const))(
  '%s: its formats, and the exit codes of its help',
  ([name, formats, exits]) => {
    const output = commands.find((one) => one.name === name)?.options.find(({ flags }) => flags.includes('--output'));
    expect(formats).toBe((output?.values ?? []).join(', '));
    const said = /^Exit codes: [^]*/m.exec(helpOf(name))?.[0] ?? '';
    expect([...said.matchAll(/(?:: |· |^)(\d+) /gm)].map(([, code]) => Number(code)).toSorted((a, b) => a - b)).toEqual(
      exits.split(', ').map(Number),
    );
  },
);

const CLAIM = readFileSync(join(ROOT, 'examples/aws/cluster.yaml'), 'utf8');

test.for([
  { name: 'a claim that fits', text: CLAIM, code: 0 },
  { name: 'a claim that is refused', text: CLAIM.replace('  region:', '  regoin:'), code: 1 },
  { name: 'no YAML', text: CLAIM.replace('  region:', '\tregion:'), code: 2 },
  { name: 'a key twice', text: CLAIM.replace('  region:', '  version: v1.35.4\n  region:'), code: 2 },
  { name: 'no object', text: '# nothing\n', code: 2 },
  { name: 'no claim', text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n', code: 2 },
  { name: 'a claim twice', text: `${CLAIM}---\n${CLAIM}`, code: 2 },
])('validate ends with $code for $name', async ({ text, code }) => {
  const path = join(folder, 'file.yaml');
  writeFileSync(path, text);
  expect((await slipway('validate', path)).code).toBe(code);
});

test('every exit code, once', () => {
  const codes = new Set<number>([EXIT, SIGNAL_EXIT, PLAN_EXIT].flatMap((all) => Object.values(all)));
  const listed = tableIn(PAGE, 'code', 'meaning').map(([code]) => Number(code));
  expect(listed).toEqual([...codes].toSorted((a, b) => a - b));
  const helped = [...ALL_EXIT_HELP.matchAll(/^ +(\d+) {2}/gm)].map(([, code]) => Number(code));
  expect(helped, 'in the help of slipway').toEqual(listed);
});
