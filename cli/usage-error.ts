/** What the library says of a command line, in the style of all other errors: what is accepted, and where help is. */
import type { Command } from 'commander';
import { own } from '#lib/api/json.ts';
import { oneOf } from '#lib/api/nearest.ts';
import { errorLine, hintLine } from './exit.ts';
import { helpOf, verbOf } from './flags.ts';
import { COMMAND_HABITS, insteadOf, insteadOfNear, isOneDash, othersWith } from './habits.ts';

/** A message of the library that says less than it could. */
interface Rule {
  readonly said: RegExp;
  readonly says: (command: Command, ...parts: readonly string[]) => string;
}

const choice = (what: string, wrote: string, choices: string): string =>
  `cannot accept ${what} "${wrote}": accepted: ${oneOf(wrote, choices.split(', '))}`;

const UNKNOWN_OPTION = /^unknown option '(.*)'$/;
const UNKNOWN_COMMAND = /^unknown command '(.*)'$/;

const RULES: readonly Rule[] = [
  {
    said: /^option '.*?(--[a-z-]+).*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/,
    says: (_, flag = '', wrote = '', all = '') => choice(flag, wrote, all),
  },
  {
    said: /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/,
    says: (_, wrote = '', name = '', all = '') => choice(name, wrote, all),
  },
  {
    said: /^missing required argument '(.*)'$/,
    says(command, name = '') {
      const argument = command.registeredArguments.find((one) => one.name() === name);
      const accepted = argument?.argChoices?.join(', ') ?? argument?.description ?? '';
      return `cannot ${verbOf(command)}: no ${name} given; accepted: ${accepted}`;
    },
  },
  {
    said: /^option '.*?(--[a-z-]+).*' argument missing$/,
    says(command, flag = '') {
      const option = command.options.find(({ long }) => long === flag);
      return `cannot accept ${flag} without a value: accepted: ${option?.argChoices?.join(', ') ?? option?.flags ?? ''}`;
    },
  },
  {
    said: /^option '.*?(--[a-z-]+).*' cannot be used with option '.*?(--[a-z-]+).*'$/,
    says: (_, one = '', other = '') => `cannot accept ${one} beside ${other}: accepted: one of them`,
  },
  {
    said: /^too many arguments(?: for '.*')?\. Expected (\d+) arguments? but got \d+: (.*)\.$/,
    says(command, most = '', given = '') {
      const [extra = ''] = given.split(', ').slice(Number(most));
      const names = command.registeredArguments.map((one) => one.name()).join(' ');
      return `cannot accept "${extra}" after ${command.name()}: accepted: ${names === '' ? 'options only' : `${names}, and options`}`;
    },
  },
  { said: UNKNOWN_OPTION, says: (_, wrote = '') => `unknown option "${wrote}"` },
  { said: UNKNOWN_COMMAND, says: (_, wrote = '') => `unknown command "${wrote}"` },
];

/** @param command  that refuses it */
export function usageError(text: string, command: Command): string {
  const { message = '', meant } =
    /^(?:error: )?(?<message>.*?)(?:\n\(Did you mean (?:one of )?(?<meant>.*)\?\))?$/s.exec(text.trim())?.groups ?? {};
  const rule = RULES.find(({ said }) => said.test(message));
  const [, ...parts] = rule?.said.exec(message) ?? [];
  const line = rule?.says(command, ...parts) ?? message;
  const more = meant === undefined ? '' : `; did you mean "${meant.replaceAll(', ', '" or "')}"?`;
  return `${errorLine(`${line}${insteadText(message, command) ?? (more || elseText(message, command))}`)}${hintLine(helpOf(command))}`;
}

/** Refuses an option such as `-out`, before it is taken for short options and their values. */
export function refuseOneDash(argv: readonly string[], program: Command): void {
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const word = words.find(isOneDash);
  const command = program.commands.find((one) => one.name() === argv[0]);
  if (word !== undefined) command?.error(`error: unknown option '${word}'`);
}

/** What to use for a habit of another program. */
function insteadText(message: string, command: Command): string | undefined {
  const option = UNKNOWN_OPTION.exec(message)?.[1];
  const word = UNKNOWN_COMMAND.exec(message)?.[1];
  const says = option === undefined ? own(COMMAND_HABITS, word ?? '') : insteadOf(option, command);
  return says === undefined ? undefined : `: ${says}`;
}

/** Of a name that is near to none. */
function elseText(message: string, command: Command): string {
  const option = UNKNOWN_OPTION.exec(message)?.[1];
  if (option !== undefined) {
    const others = insteadOfNear(option, command) ?? othersWith(option, command);
    return others === undefined ? '' : `: ${others}`;
  }
  const names = command.commands.map((one) => one.name()).join(', ');
  return names === '' ? '' : `: accepted: ${names}`;
}
