/** What people type from habit is answered with what to use, and what is named there exists. */
import { describe, expect, it, test } from 'vitest';
import { COMMAND_HABITS, OPTION_HABITS } from '../../cli/habits.ts';
import { createProgram } from '../../cli/program.ts';
import { slipway } from './slipway.ts';

const program = createProgram();
const flagsOf = (name: string): readonly string[] => {
  const command = program.commands.find((one) => one.name() === name);
  expect(command, `there is a command ${name}`).toBeDefined();
  return [...(command?.options ?? []), ...program.options].flatMap(({ long, short }) =>
    [long ?? [], short ?? []].flat(),
  );
};

/** Every `slipway COMMAND --option` of a sentence. */
const namedIn = (text: string): readonly { readonly command: string; readonly flag: string | undefined }[] =>
  [...text.matchAll(/slipway ([a-z]+)(?: (--[a-z-]+))?/g)]
    .map(([, command = '', flag]) => ({ command, flag }))
    .filter(({ command }) => command !== 'changes' && command !== 'help');

/** Options of the command itself. */
const ownIn = (text: string): readonly string[] =>
  [...text.replaceAll(/slipway [a-z]+ --[a-z-]+/g, '').matchAll(/--[a-z-]+/g)].map(([flag]) => flag);

describe.for(OPTION_HABITS)('an option of another program: $typed', ({ typed, instead }) => {
  const strangers = program.commands
    .map((one) => one.name())
    .flatMap((name) => typed.filter((one) => !flagsOf(name).includes(one)).map((word) => ({ name, word })));
  it.for(strangers)('is refused with what to use: slipway $name $word', async ({ name, word }) => {
    const { code, stderr } = await slipway(name, word);
    const said = instead.find(({ needs = [] }) => needs.every((one) => flagsOf(name).includes(one)));
    const [line = ''] = stderr.split('\n');
    expect(line.startsWith(`slipway: unknown option "${word}"`)).toBe(true);
    expect(line.endsWith(said === undefined ? '' : `: ${said.says}`)).toBe(true);
    expect(code).toBe(2);
  });

  it.for([...instead])('is answered with what exists: $says', ({ says, needs = [] }) => {
    for (const { command, flag } of namedIn(says)) expect(flagsOf(command)).toContain(flag);
    const commands = program.commands.map((one) => one.name());
    const heard = commands.filter(
      (name) =>
        typed.some((one) => !flagsOf(name).includes(one)) &&
        instead.find((one) => (one.needs ?? []).every((need) => flagsOf(name).includes(need)))?.says === says,
    );
    expect(heard, 'somebody is told').not.toEqual([]);
    for (const name of heard) expect(flagsOf(name)).toEqual(expect.arrayContaining([...ownIn(says), ...needs]));
  });
});

test.for(Object.entries(COMMAND_HABITS))('a command of another program: slipway %s', async ([word, says]) => {
  const { code, stderr } = await slipway(word, '--nonsense');
  expect(code).toBe(2);
  expect(stderr).toBe(`slipway: unknown command "${word}": ${says}\n  see slipway --help\n`);
  for (const { command, flag = '--help' } of namedIn(says)) expect(['--help', ...flagsOf(command)]).toContain(flag);
});

test.for([
  {
    args: ['plan', '--dryrun', 'a.yaml'],
    line: 'unknown option "--dryrun": slipway changes no cluster: kubectl apply does',
  },
  {
    args: ['plan', '--dry-run=client', 'a.yaml'],
    line: 'unknown option "--dry-run=client": slipway changes no cluster: kubectl apply does',
  },
  {
    args: ['describe', 'cluster', 'prod', '-no-color'],
    line: /^unknown option "-no-color": set the variable NO_COLOR=1/,
  },
  { args: ['plan', '-out=tfplan'], line: 'unknown option "-out=tfplan": use --output-file FILE' },
  { args: ['plan', '--seed', '1'], line: 'unknown option "--seed": it is an option of simulate, describe, payload' },
])('a near name or another command: slipway $args', async ({ args, line }) => {
  const { stderr } = await slipway(...args);
  expect(stderr.split('\n')[0]?.replace('slipway: ', '')).toMatch(line);
});
