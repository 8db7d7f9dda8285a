/** The command line of slipway render. */
import { type Command, Option } from 'commander';
import { type CallableFlags, callableOptions, callsFunctions } from '../callable.ts';
import { examples, gather, outputFile, timeOf } from '../flags.ts';

interface RenderFlags extends CallableFlags {
  readonly observedResources: readonly string[];
  readonly requiredResources: readonly string[];
  readonly includeFullXr: boolean;
  readonly includeFunctionResults: boolean;
  readonly showSecrets: boolean;
  readonly now?: string;
  readonly outputFile?: string;
}

/** Adds the command. @param ended is told the exit code */
export function addRender(program: Command, ended: (code: number) => void): void {
  callsFunctions(program.command('render'))
    .argument('<xr>', 'file with one claim; - is standard input')
    .argument('<composition>', 'file with one Composition')
    .summary('Print what Crossplane would apply for one claim.')
    .description('Run one claim through one Composition and print what Crossplane would apply.')
    .addOption(
      new Option('-o, --observed-resources <path>', 'file or folder with existing composed resources; may be repeated')
        .default([])
        .argParser(gather(String)),
    )
    .addOption(
      new Option(
        '-e, --required-resources <path>',
        'file or folder with objects the functions may require; may be repeated',
      )
        .default([])
        .argParser(gather(String)),
    )
    .option('-x, --include-full-xr', 'print the claim with its spec', false)
    .option('-r, --include-function-results', 'print results after the resources', false)
    .option('--show-secrets', 'do not mask values of Secrets', false)
    .option('--now <time>', 'current time for the functions, such as 2026-01-01T00:00:00Z')
    .addOption(outputFile())
    .addHelpText('after', examples('render', ['examples/aws/cluster.yaml compositions/aws/cluster.yaml']))
    .action(async (xr: string, composition: string, flags: RenderFlags) => {
      const { render } = await import('./render.ts');
      const now = timeOf(flags.now);
      const {
        observedResources: observed,
        requiredResources: required,
        includeFullXr: fullXr,
        includeFunctionResults: results,
        showSecrets,
        outputFile: file,
      } = flags;
      const options = { observed, required, fullXr, results, showSecrets, now, file, ...callableOptions(flags) };
      ended(await render(xr, composition, options));
    });
}
