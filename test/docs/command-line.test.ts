/** The page about the command line lists every command, with its formats and exit codes. */
import { expect, test } from 'vitest';
import { wordsOf } from '../../cli/completion/words.ts';
import { EXIT, PLAN_EXIT, SIGNAL_EXIT } from '../../cli/exit.ts';
import { createProgram } from '../../cli/program.ts';
import { codeIn, tableIn } from './pages.ts';

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

test('every exit code, once', () => {
  const codes = new Set<number>([EXIT, SIGNAL_EXIT, PLAN_EXIT].flatMap((all) => Object.values(all)));
  const listed = tableIn(PAGE, 'code', 'meaning').map(([code]) => Number(code));
  expect(listed).toEqual([...codes].toSorted((a, b) => a - b));
});
