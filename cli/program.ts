/** The command line of slipway: its commands, and how each ends. */
import { Command, CommanderError } from 'commander';
import { addCompletion } from './completion/command.ts';
import { addDescribe } from './describe/command.ts';
import { ALL_EXIT_HELP, EXIT, errorLine, reportError } from './exit.ts';
import { version } from './files/repository.ts';
import { addFunctions } from './functions/command.ts';
import { oneOf } from '#lib/api/nearest.ts';
import { HELP_LAYOUT, writeHelp } from './help.ts';
import { addMatrix } from './matrix/command.ts';
import { refusePaths } from './paths.ts';
import { addPayload } from './payload/command.ts';
import { addPlan } from './plan/command.ts';
import { addRender } from './render/command.ts';
import { addSimulate } from './simulate/command.ts';
import { addValidate } from './validate/command.ts';

/** Parses and runs. @returns the exit code; never throws */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let exit: number = EXIT.done;
  const program = createProgram((code) => (exit = code));
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exit;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.done : EXIT.usage;
    return reportError(thrown, argv.includes('--debug'));
  }
}

function choice(what: string, wrote: string, choices: string): string {
  return `cannot accept ${what} "${wrote}": accepted: ${oneOf(wrote, choices.split(', '))}`;
}

/** In the style of all other errors, with what was probably meant. */
function usageError(text: string): string {
  const [message = '', ...hints] = text
    .trim()
    .replace(/^error: /, '')
    .replace(
      /^option '.*?(--[a-z-]+).*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/m,
      (_, flag: string, wrote: string, all: string) => choice(flag, wrote, all),
    )
    .replace(
      /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/m,
      (_, wrote: string, name: string, all: string) => choice(name, wrote, all),
    )
    .replace(/^(unknown (?:command|option)) '(.*)'/, '$1 "$2"')
    .replace(/\n\(Did you mean (.*)\?\)$/m, '; did you mean "$1"?')
    .split('\n');
  return [errorLine(message), ...hints.map((hint) => `  ${hint.replace(/^\((.*)\)$/, '$1')}\n`)].join('');
}

type Ended = (code: number) => void;

/** The commands, their arguments and options. @param ended is told the exit code */
export function createProgram(ended: Ended = () => {}): Command {
  const program = new Command('slipway')
    .description(
      'Kubernetes clusters as Crossplane compositions: simulate claims, plan edits and inspect what machines run.',
    )
    .version(`slipway ${version()}`, '-V, --version', 'print the version')
    .option('--debug', 'print the stack trace of errors')
    .helpCommand('help [command]', 'Show the help of a command.')
    .helpOption('-h, --help', 'show this help')
    .configureOutput({ writeOut: writeHelp, outputError: (text, write) => write(usageError(text)) })
    .configureHelp(HELP_LAYOUT)
    .showHelpAfterError('  see --help for accepted arguments')
    .exitOverride()
    .hook('preAction', (_program, command) => refusePaths(command))
    .addHelpText('after', `\n${ALL_EXIT_HELP}`);
  addSimulate(program, ended);
  addValidate(program, ended);
  addDescribe(program, ended);
  addPayload(program, ended);
  addPlan(program, ended);
  addRender(program, ended);
  addMatrix(program, ended);
  addFunctions(program, ended);
  addCompletion(program, ended);
  return program;
}
