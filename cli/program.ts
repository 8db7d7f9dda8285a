/** The command line of slipway: its commands, and how each ends. */
import { Command, CommanderError } from 'commander';
import { own } from '#lib/api/json.ts';
import { addCompletion } from './completion/command.ts';
import { addDescribe } from './describe/command.ts';
import { ALL_EXIT_HELP, EXIT, reportError } from './exit.ts';
import { version } from './files/repository.ts';
import { addFunctions } from './functions/command.ts';
import { HELP_LAYOUT, writeHelp } from './help.ts';
import { refuseOneDash, usageError } from './usage-error.ts';
import { addMatrix } from './matrix/command.ts';
import { refuseTaken } from './npm.ts';
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
    refuseTaken(argv, program, process.env);
    refuseOneDash(argv, program);
    await program.parseAsync([...understood(argv, program)], { from: 'user' });
    return exit;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.done : EXIT.usage;
    return reportError(thrown, argv.includes('--debug'));
  }
}

/** Words of other programs for what is an option here. */
const OTHER_WORDS: Readonly<Record<string, string>> = { version: '--version', '-v': '--version' };

/** `version` is an answer, and an unknown command is refused whatever help it is asked for. */
function understood(argv: readonly string[], program: Command): readonly string[] {
  const [first = '', about] = argv;
  const option = own(OTHER_WORDS, first);
  if (option !== undefined) return [option];
  const word = first === 'help' ? about : first;
  const isKnown =
    word === undefined ||
    word === '' ||
    word === 'help' ||
    word.startsWith('-') ||
    program.commands.some((one) => one.name() === word);
  return isKnown ? argv : [word];
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
    .configureOutput({ writeOut: writeHelp })
    .configureHelp(HELP_LAYOUT)
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
  for (const command of [program, ...program.commands])
    command.configureOutput({ outputError: (text, write) => write(usageError(text, command)) });
  return program;
}
