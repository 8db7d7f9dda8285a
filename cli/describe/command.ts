/** The command line of slipway describe. */
import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { KubeObject } from '#lib/api/json.ts';
import { API_VERSION } from '#lib/api/words.ts';
import { READY_EXIT_HELP } from '../exit.ts';
import {
  type ClusterFlags,
  connectionOf,
  examples,
  filesOf,
  namespaceOf,
  output,
  outputFile,
  readsCluster,
} from '../flags.ts';
import { chosenBy } from '../files/namespaces.ts';
import { readObjects } from '../files/read-objects.ts';
import { subjectOf } from './subject.ts';
import { type SimulationFlags, simulates, simulationOf } from '../simulate/flags.ts';
import type { OutputFormat } from '../simulate/simulate.ts';

interface DescribeFlags extends SimulationFlags, ClusterFlags {
  readonly namespace?: string;
  readonly showConditions: boolean;
  readonly output: OutputFormat;
  readonly outputFile?: string;
}

const NAMESPACE_HELP = 'namespace of the object, and of those whose files have none (default: all namespaces)';

/** Adds the command. @param ended is told the exit code */
export function addDescribe(program: Command, ended: (code: number) => void): void {
  const command = simulates(
    program
      .command('describe')
      .argument('<kind>', 'cluster, nodepool or machine; or KIND/NAME, then without a name')
      .argument('[name]', 'name of the object')
      .argument('[files...]', 'YAML files or folders with claims to simulate; - is standard input')
      .summary('Show one object as a tree, and why it is not ready: of a live cluster, or simulated.')
      .description(
        'Show one object and everything below it as a tree; the first line says why it is not ready. With --context or ' +
          '--kubeconfig it is read from a live cluster: objects are listed, and no Secret is read. Else claims are simulated.',
      ),
  );
  readsCluster(command)
    .addOption(new Option('-n, --namespace <name>', NAMESPACE_HELP).argParser(namespaceOf))
    .option('--show-conditions', 'show every condition, not only problems', false)
    .addOption(output())
    .addOption(outputFile())
    .addHelpText(
      'after',
      examples(
        'describe',
        [
          'cluster prod --namespace team-a --context management',
          'cluster prod examples/aws',
          'cluster/prod examples/aws -o json',
          'cluster prod examples/aws --show-conditions',
        ],
        READY_EXIT_HELP,
      ),
    )
    .action(async (kind: string, name: string | undefined, more: string[], flags: DescribeFlags) => {
      const { describe } = await import('./describe.ts');
      const { output: format, outputFile: file } = flags;
      const { subject, files } = subjectOf({
        kind,
        name,
        files: more,
        namespace: flags.namespace,
        isFile: existsSync,
        claims: () =>
          name !== undefined && !existsSync(name) && !existsSync(kind)
            ? []
            : claimsIn([kind, ...[name ?? []].flat(), ...more, ...flags.filename]),
      });
      const connection = connectionOf(flags);
      const source =
        connection === undefined
          ? {
              simulation: {
                ...simulationOf(filesOf(command, files, flags.filename, '--context NAME for a live cluster'), flags),
                namespace: chosenBy(flags.namespace),
              },
            }
          : { connection };
      const options = { conditions: flags.showConditions, output: format, file };
      ended(await describe(subject, source, options));
    });
}

/** Claims of those files that exist. Throws UsageError for a file that cannot be read. */
function claimsIn(paths: readonly string[]): readonly KubeObject[] {
  const present = paths.filter((path) => existsSync(path));
  return readObjects(present).filter(({ apiVersion }) => apiVersion === API_VERSION);
}
