/** The command line of slipway plan. */
import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { PLAN_EXIT_HELP, UsageError } from '../exit.ts';
import { readObjects } from '../files/read-objects.ts';
import { gather, timeOf } from '../flags.ts';
import { plan } from './plan.ts';
import { isClaim } from './plan-claims.ts';
import { PLAN_FORMATS, type PlanFormat } from './print.ts';
import { nameOf, type Ref } from './world.ts';

interface PlanFlags {
  readonly observed: readonly string[];
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly delete: readonly (readonly Ref[])[];
  readonly compositions?: string;
  readonly output: PlanFormat;
  readonly now?: string;
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
  program
    .command('plan')
    .argument('[files...]', 'YAML files or folders with the edited claims')
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
    )
    .addOption(
      new Option(
        '--context <name>',
        'read existing objects from the cluster of this kubeconfig context; nothing is changed',
      ).conflicts('observed'),
    )
    .addOption(
      new Option('--kubeconfig <file>', 'kubeconfig to use (default: $KUBECONFIG, then ~/.kube/config)').conflicts(
        'observed',
      ),
    )
    .addOption(
      new Option('--delete <kind/name>', 'claim to delete, or a file or folder with claims to delete; may be repeated')
        .default([], 'none')
        .argParser(gather(parseRefs)),
    )
    .option(
      '--compositions <folder>',
      'Compositions to use if none is observed, instead of those that come with slipway',
    )
    .addOption(new Option('-o, --output <format>', 'output format').choices(PLAN_FORMATS).default('table'))
    .option('--now <time>', 'current time for the functions, such as 2026-01-01T00:00:00Z')
    .addHelpText('after', HELP)
    .action(async (files: string[], flags: PlanFlags) => {
      const { observed, context, kubeconfig, delete: deleted, compositions, output } = flags;
      const live = context === undefined && kubeconfig === undefined ? undefined : { context, kubeconfig };
      ended(
        await plan({
          files,
          observed,
          live,
          deleted: deleted.flat(),
          compositions,
          output,
          now: timeOf(flags.now) ?? new Date(),
        }),
      );
    });
}

const KINDS = new Set(['Cluster', 'NodePool']);

/** `KIND/NAME`, `KIND/NAMESPACE/NAME`, or a file or folder: every claim in it. */
function parseRefs(text: string): readonly Ref[] {
  const [kind = '', ...rest] = text.split('/');
  const [name, namespace] = rest.toReversed();
  if (KINDS.has(kind) && name !== undefined && name !== '' && rest.length <= 2) return [{ kind, namespace, name }];
  if (existsSync(text))
    return readObjects([text])
      .filter(isClaim)
      .map((claim) => ({ kind: claim.kind, namespace: claim.metadata?.namespace, name: nameOf(claim) }));
  throw new UsageError(
    `cannot accept --delete "${text}": accepted: a Cluster or NodePool as KIND/NAME or KIND/NAMESPACE/NAME, such as NodePool/prod-memory, or a file or folder with claims`,
  );
}
