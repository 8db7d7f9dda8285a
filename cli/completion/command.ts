/** The command line of slipway completion. */
import { Argument, type Command } from 'commander';
import { EXIT, EXIT_HELP } from '../exit.ts';
import { outputFile } from '../flags.ts';
import { outputTo } from '../terminal/output.ts';
import { SHELLS, type Shell } from './shells.ts';

const HELP = [
  '',
  'Examples:',
  '  source <(slipway completion bash)',
  '  slipway completion zsh > "${fpath[1]}/_slipway"',
  '  slipway completion fish > ~/.config/fish/completions/slipway.fish',
  '',
  EXIT_HELP,
].join('\n');

/** Adds the command, after all others. @param ended is told the exit code */
export function addCompletion(program: Command, ended: (code: number) => void): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'shell that reads it').choices(SHELLS))
    .description('Print the completion script of a shell: commands, options and their values.')
    .addOption(outputFile())
    .addHelpText('after', HELP)
    .action(async (shell: Shell, { outputFile: file }: { readonly outputFile?: string }) => {
      const [{ wordsOf }, { completion }] = await Promise.all([import('./words.ts'), import('./scripts.ts')]);
      outputTo(file).write(completion(shell, wordsOf(program)));
      ended(EXIT.done);
    });
}
