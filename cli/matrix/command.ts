/** The command line of slipway matrix. */
import { type Command, Option } from 'commander';
import { examples, outputFile } from '../flags.ts';
import { MATRIX_FORMATS, type MatrixFormat } from './formats.ts';

/** Adds the command. @param ended is told the exit code */
export function addMatrix(program: Command, ended: (code: number) => void): void {
  program
    .command('matrix')
    .summary('Show which bootstrap providers work with which provisioning formats.')
    .description(
      'Show which bootstrap providers work with which provisioning formats, and what a format cannot express.',
    )
    .addOption(new Option('-o, --output <format>', 'output format').choices(MATRIX_FORMATS).default('table'))
    .addOption(outputFile())
    .addHelpText('after', examples('matrix', ['', '-o markdown']))
    .action(async ({ output, outputFile: file }: { readonly output: MatrixFormat; readonly outputFile?: string }) =>
      ended((await import('./print.ts')).printMatrix(output, file)),
    );
}
