/** The command line of slipway plan. */
import { type Command, Option } from 'commander';
import { PLAN_EXIT_HELP } from '../exit.ts';
import { gather, timeOf } from '../flags.ts';
import { parseRef } from './options.ts';
import { plan } from './plan.ts';
import { PLAN_FORMATS, type PlanFormat } from './print.ts';
import type { Ref } from './world.ts';

interface PlanFlags {
  readonly observed: readonly string[];
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly delete: readonly Ref[];
  readonly compositions?: string;
  readonly output: PlanFormat;
  readonly now?: string;
}

/** Adds the command. @param ended is told the exit code */
export function addPlan(program: Command, ended: (code: number) => void): void {
  program
    .command('plan')
    .argument('<files...>', 'YAML files or folders with the edited claims')
    .summary('Show what an edit would do, before it is applied.')
    .description(
      'Show what an edit would do, before it is applied: per machine and field what changes, how and why. ' +
        'A claim is taken whole: a field it leaves out is taken away. What exists and is not in the files stays as ' +
        'it is, though pools follow their edited Cluster; say --delete for what is to go. No Secret is read.',
    )
    .addOption(
      new Option(
        '--observed <path>',
        'file or folder with what exists, as kubectl get -o yaml prints it; may be repeated',
      )
        .default([], 'nothing exists')
        .argParser(gather(String)),
    )
    .addOption(
      new Option('--context <name>', 'look at the cluster of this context of the kubeconfig; lists only').conflicts(
        'observed',
      ),
    )
    .addOption(
      new Option('--kubeconfig <file>', 'kubeconfig to use (default: $KUBECONFIG, then ~/.kube/config)').conflicts(
        'observed',
      ),
    )
    .addOption(
      new Option('--delete <kind/name>', 'a claim that is to go; may be repeated')
        .default([], 'none')
        .argParser(gather(parseRef)),
    )
    .option('--compositions <folder>', 'Compositions to use where none is observed, instead of the project’s own')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(PLAN_FORMATS).default('table'))
    .option('--now <time>', 'the time the functions see, such as 2026-01-01T00:00:00Z')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  slipway simulate examples/aws --save before.yaml',
        '  slipway plan examples/aws/edits/label.yaml --observed before.yaml',
        '  slipway plan prod.yaml --context management -o markdown',
        '',
        PLAN_EXIT_HELP,
      ].join('\n'),
    )
    .action(async (files: string[], flags: PlanFlags) => {
      const { observed, context, kubeconfig, delete: deleted, compositions, output } = flags;
      const live = context === undefined && kubeconfig === undefined ? undefined : { context, kubeconfig };
      ended(await plan({ files, observed, live, deleted, compositions, output, now: timeOf(flags.now) ?? new Date() }));
    });
}
