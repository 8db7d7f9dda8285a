/** The command line of slipway: its commands, and how each ends. */
import { Command, CommanderError } from 'commander';
import { addDescribe } from './describe/command.ts';
import { EXIT, EXIT_HELP, reportError } from './exit.ts';
import { addFunctions } from './functions/command.ts';
import { addMatrix } from './matrix/command.ts';
import { addPayload } from './payload/command.ts';
import { addPlan } from './plan/command.ts';
import { addRender } from './render/command.ts';
import { addSimulate } from './simulate/command.ts';

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

type Ended = (code: number) => void;

function createProgram(ended: Ended): Command {
  const program = new Command('slipway')
    .description(
      'Kubernetes clusters as Crossplane compositions: simulate claims, plan edits and inspect what machines run.',
    )
    .option('--debug', 'print the stack trace of errors')
    .helpCommand(false)
    .showHelpAfterError('see --help for accepted arguments')
    .exitOverride()
    .addHelpText('after', `\n${EXIT_HELP}`);
  addSimulate(program, ended);
  addDescribe(program, ended);
  addPayload(program, ended);
  addPlan(program, ended);
  addRender(program, ended);
  addMatrix(program, ended);
  addFunctions(program, ended);
  return program;
}
