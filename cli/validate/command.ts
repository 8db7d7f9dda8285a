/** The command line of slipway validate. */
import type { Command } from 'commander';
import { type CallableFlags, callableOptions, callsFunctions } from '../callable.ts';
import { VALIDATE_EXIT_HELP } from '../exit.ts';
import { examples, filesOf, inNamespace, output, outputFile, readsFiles, timeOf } from '../flags.ts';
import type { ValidateFormat } from './validate.ts';

interface ValidateFlags extends CallableFlags {
  readonly filename: readonly string[];
  readonly compositions?: string;
  readonly output: ValidateFormat;
  readonly namespace?: string;
  readonly now?: string;
  readonly outputFile?: string;
}

/** Adds the command. @param ended is told the exit code */
export function addValidate(program: Command, ended: (code: number) => void): void {
  const command = callsFunctions(inNamespace(readsFiles(program.command('validate'))));
  command
    .argument(
      '[files...]',
      'YAML files or folders with claims, and with Compositions and EnvironmentConfigs; - is standard input',
    )
    .summary('Say what is refused of claims, before they are applied.')
    .description(
      'Say what is refused of claims, before they are applied: by the API server, and by the functions of their ' +
        'Compositions, each called once. Nothing is simulated and nothing is read from a cluster, so it fits into a pre-commit hook.',
    )
    .option('--compositions <folder>', 'Compositions to use instead of those that come with slipway')
    .addOption(output())
    .addOption(outputFile())
    .option('--now <time>', 'current time for the functions, such as 2026-01-01T00:00:00Z')
    .addHelpText(
      'after',
      examples(
        'validate',
        ['examples/aws', 'prod.yaml environment-config.yaml -o json', '- < prod.yaml'],
        VALIDATE_EXIT_HELP,
      ),
    )
    .action(async (files: readonly string[], flags: ValidateFlags) => {
      const { validate } = await import('./validate.ts');
      const all = filesOf(command, files, flags.filename);
      const { namespace, compositions, output: format, outputFile: file } = flags;
      const now = timeOf(flags.now) ?? new Date();
      ended(
        await validate({ files: all, namespace, compositions, output: format, file, now, ...callableOptions(flags) }),
      );
    });
}
