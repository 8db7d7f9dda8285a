/** The command line of slipway functions. */
import type { Command } from 'commander';
import { examples, outputFile } from '../flags.ts';

/** Adds the command. @param ended is told the exit code */
export function addFunctions(program: Command, ended: (code: number) => void): void {
  program
    .command('functions')
    .summary('Serve all functions on this machine, for crossplane composition render.')
    .description(
      'Serve all functions on this machine and print the functions.yaml that crossplane composition render needs.',
    )
    .option('--base-port <port>', 'first of seven consecutive ports', '9443')
    .addOption(outputFile())
    .addHelpText('after', examples('functions', ['', '--base-port 19443']))
    .action(async ({ basePort, outputFile: file }: { readonly basePort: string; readonly outputFile?: string }) =>
      ended(await (await import('./functions.ts')).serveFunctions(basePort, file)),
    );
}
