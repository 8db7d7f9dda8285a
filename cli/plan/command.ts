/** The command line of slipway plan. */
import { type Command, Option } from 'commander';
import { type CallableFlags, callableOptions, callsFunctions } from '../callable.ts';
import { PLAN_EXIT_HELP } from '../exit.ts';
import {
  type ClusterFlags,
  connectionOf,
  filesOf,
  gather,
  inNamespace,
  outputFile,
  readsCluster,
  readsFiles,
  timeOf,
} from '../flags.ts';
import { PLAN_FORMATS, type PlanFormat } from './formats.ts';

interface PlanFlags extends CallableFlags, ClusterFlags {
  readonly filename: readonly string[];
  readonly observed: readonly string[];
  readonly delete: readonly string[];
  readonly compositions?: string;
  readonly output: PlanFormat;
  readonly namespace?: string;
  readonly now?: string;
  readonly outputFile?: string;
}

const HELP = [
  '',
  'Examples:',
  '  slipway simulate examples/aws --save before.yaml',
  '  slipway plan examples/aws/edits/label.yaml --observed before.yaml',
  '  slipway plan --delete examples/aws --observed before.yaml',
  '  slipway plan prod.yaml --context management -o markdown',
  '',
  PLAN_EXIT_HELP,
].join('\n');

/** Adds the command. @param ended is told the exit code */
export function addPlan(program: Command, ended: (code: number) => void): void {
  const command = inNamespace(readsFiles(program.command('plan')));
  command
    .argument('[files...]', 'YAML files or folders with the edited claims; - is standard input')
    .summary('Show what an edit would do, before it is applied.')
    .description(
      'Show what an edit would do, before it is applied: for each machine and field, what changes, how and why. ' +
        'A file replaces its whole claim: a field that is left out is removed. Objects that are not in the files stay as ' +
        'they are, except that pools follow their edited Cluster; use --delete to delete claims. Secrets are not read.',
    )
    .addOption(
      new Option(
        '--observed <path>',
        'file or folder with the existing objects, as printed by kubectl get -o yaml; may be repeated',
      )
        .default([], 'nothing exists')
        .argParser(gather(String)),
    );
  readsCluster(command, 'observed')
    .addOption(
      new Option('--delete <kind/name>', 'claim to delete, or a file or folder with claims to delete; may be repeated')
        .default([])
        .argParser(gather(String)),
    )
    .option(
      '--compositions <folder>',
      'Compositions to use if none is observed, instead of those that come with slipway',
    )
    .addOption(new Option('-o, --output <format>', 'output format').choices(PLAN_FORMATS).default('table'))
    .option('--now <time>', 'current time for the functions, such as 2026-01-01T00:00:00Z')
    .addOption(outputFile())
    .addHelpText('after', HELP)
    .action(async (files: string[], flags: PlanFlags) => {
      const [{ plan }, { parseRefs }] = await Promise.all([import('./plan.ts'), import('./deleted.ts')]);
      const { observed, namespace, delete: deleted, compositions, output, outputFile: file } = flags;
      const given = [...files, ...flags.filename];
      ended(
        await plan({
          files: deleted.length > 0 ? given : filesOf(command, given, []),
          observed,
          live: connectionOf(flags),
          namespace,
          deleted: deleted.flatMap((one) => parseRefs(one, namespace, given[0])),
          compositions,
          output,
          file,
          now: timeOf(flags.now) ?? new Date(),
          ...callableOptions(flags),
        }),
      );
    });
  callsFunctions(command);
}
