/** The command line of slipway describe. */
import type { Command } from 'commander';
import { examples, output } from '../flags.ts';
import { type SimulationFlags, simulates, simulationOf } from '../simulate/flags.ts';
import type { OutputFormat } from '../simulate/simulate.ts';

/** Adds the command. @param ended is told the exit code */
export function addDescribe(program: Command, ended: (code: number) => void): void {
  const command = simulates(
    program
      .command('describe')
      .argument('<kind>', 'cluster, nodepool or machine')
      .argument('<name>', 'name of the object')
      .argument('<files...>', 'YAML files or folders with claims')
      .description('Simulate claims and show one object as a tree, problems first.'),
  );
  command
    .option('--show-conditions', 'show every condition, not only problems', false)
    .addOption(output())
    .addHelpText(
      'after',
      examples('describe', ['cluster prod examples/aws', 'cluster prod examples/aws --show-conditions']),
    )
    .action(
      async (
        kind: string,
        name: string,
        files: string[],
        flags: SimulationFlags & { readonly showConditions: boolean; readonly output: OutputFormat },
      ) => {
        const { describe, kindOf } = await import('./describe.ts');
        const options = { conditions: flags.showConditions, output: flags.output };
        ended(await describe({ kind: kindOf(kind), name }, simulationOf(files, flags), options));
      },
    );
}
