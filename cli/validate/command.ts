/** The command line of slipway validate. */
import { type Command, Option } from 'commander';
import { type CallableFlags, callableOptions, callsFunctions } from '../callable.ts';
import { UsageError } from '../exit.ts';
import { output, timeOf } from '../flags.ts';
import type { ValidateFormat } from './validate.ts';

interface ValidateFlags extends CallableFlags {
  readonly filename: readonly string[];
  readonly compositions?: string;
  readonly output: ValidateFormat;
  readonly now?: string;
}

const HELP = [
  '',
  'Examples:',
  '  slipway validate examples/aws',
  '  slipway validate prod.yaml environment-config.yaml -o json',
  '  cat prod.yaml | slipway validate -',
  '',
  'Exit codes: 0 nothing is refused · 1 a claim is refused, or failed · 2 usage',
].join('\n');

/** Adds the command. @param ended is told the exit code */
export function addValidate(program: Command, ended: (code: number) => void): void {
  callsFunctions(program.command('validate'))
    .argument(
      '[files...]',
      'YAML files or folders with claims, and with Compositions and EnvironmentConfigs; - is standard input',
    )
    .summary('Say what is refused of claims, before they are applied.')
    .description(
      'Say what is refused of claims, before they are applied: by the API server, and by the functions of their ' +
        'Compositions, each called once. Nothing is simulated and nothing is read from a cluster, so it fits into a pre-commit hook.',
    )
    .addOption(
      new Option('-f, --filename <path>', 'another file or folder; - is standard input; may be repeated')
        .default([], 'none')
        .argParser((text: string, before: readonly string[]) => [...before, text]),
    )
    .option('--compositions <folder>', 'folder of Compositions, if not those of this version of slipway')
    .addOption(output())
    .option('--now <time>', 'current time for the functions, such as 2026-01-01T00:00:00Z')
    .addHelpText('after', HELP)
    .action(async (files: readonly string[], flags: ValidateFlags) => {
      const { validate } = await import('./validate.ts');
      const all = [...files, ...flags.filename];
      if (all.length === 0) throw new UsageError('cannot validate: no claims given; accepted: files, folders, or -');
      const { compositions, output: format } = flags;
      const now = timeOf(flags.now) ?? new Date();
      ended(await validate({ files: all, compositions, output: format, now, ...callableOptions(flags) }));
    });
}
