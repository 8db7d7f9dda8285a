/** The command line of slipway simulate. */
import type { Command } from 'commander';
import { READY_EXIT_HELP } from '../exit.ts';
import { onlyIn } from '../files/namespaces.ts';
import { examples, filesOf, inNamespace, output, outputFile } from '../flags.ts';
import { type SimulationFlags, simulates, simulationOf } from './flags.ts';
import type { OutputFormat } from './simulate.ts';

interface ResultFlags {
  readonly output: OutputFormat;
  readonly outputFile?: string;
  readonly namespace?: string;
  readonly save?: string;
}

/** Adds the command. @param ended is told the exit code */
export function addSimulate(program: Command, ended: (code: number) => void): void {
  const command = simulates(
    program
      .command('simulate')
      .argument('[files...]', 'YAML files or folders with claims; - is standard input')
      .description('Run claims with the real functions on a simulated cloud until they are Ready.'),
  );
  inNamespace(command)
    .addOption(output())
    .addOption(outputFile())
    .option('--save <file>', 'write the final objects, without Secrets, to a file that slipway plan can read')
    .addHelpText(
      'after',
      examples(
        'simulate',
        [
          'examples/aws',
          'examples/aws --apply examples/aws/edits/label.yaml@10m',
          'examples/aws --fail slow-objects=0.3 --seed 7 -o json',
        ],
        READY_EXIT_HELP,
      ),
    )
    .action(async (files: string[], flags: SimulationFlags & ResultFlags) => {
      const { simulate } = await import('./simulate.ts');
      const namespace = onlyIn(flags.namespace);
      const simulation = { ...simulationOf(filesOf(command, files, flags.filename), flags), namespace };
      ended(await simulate(simulation, flags));
    });
}
