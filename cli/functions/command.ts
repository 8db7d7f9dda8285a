/** The command line of slipway functions. */
import type { Command } from 'commander';
import { examples } from '../flags.ts';

/** Adds the command. @param ended is told the exit code */
export function addFunctions(program: Command, ended: (code: number) => void): void {
  program
    .command('functions')
    .summary('Serve all functions on this machine, for crossplane composition render.')
    .description(
      'Serve all functions on this machine and print the functions.yaml that crossplane composition render needs.',
    )
    .option('--base-port <port>', 'first of seven consecutive ports', '9443')
    .addHelpText('after', examples('functions', ['', '--base-port 19443']))
    .action(async ({ basePort }: { readonly basePort: string }) =>
      ended(await (await import('./functions.ts')).serveFunctions(basePort)),
    );
}
