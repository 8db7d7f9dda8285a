/** The command line of slipway simulate. */
import type { Command } from 'commander';
import { examples, output } from '../flags.ts';
import { type SimulationFlags, simulates, simulationOf } from './flags.ts';
import type { OutputFormat } from './simulate.ts';

/** Adds the command. @param ended is told the exit code */
export function addSimulate(program: Command, ended: (code: number) => void): void {
  const command = simulates(
    program
      .command('simulate')
      .argument('<files...>', 'YAML files or folders with claims')
      .description('Run claims with the real functions on a simulated cloud until they are Ready.'),
  );
  command
    .addOption(output())
    .option('--save <file>', 'write the final objects, without Secrets, to a file that slipway plan can read')
    .addHelpText(
      'after',
      examples('simulate', [
        'examples/aws',
        'examples/aws --apply examples/aws/edits/scale-up.yaml@10m',
        'examples/aws --fail slow-objects=0.3 --seed 7 -o json',
      ]),
    )
    .action(
      async (files: string[], flags: SimulationFlags & { readonly output: OutputFormat; readonly save?: string }) => {
        const { simulate } = await import('./simulate.ts');
        ended(await simulate(simulationOf(files, flags), flags.output, flags.save));
      },
    );
}
