/** The command line of slipway: what it accepts, and what each command is told. */
import { Command, CommanderError, Option } from 'commander';
import { describe, kindOf } from './describe/describe.ts';
import { EXIT, EXIT_HELP, reportError } from './exit.ts';
import { accept, gather, timeOf } from './flags.ts';
import { serveFunctions } from './functions/functions.ts';
import { MATRIX_FORMATS, type MatrixFormat, printMatrix } from './matrix/print.ts';
import { payload } from './payload/payload.ts';
import { addPlan } from './plan/command.ts';
import { render } from './render/render.ts';
import { type Change, parseApply, parseDelete, parseFaults, parseSeconds, parseSeed } from './simulate/options.ts';
import { type OutputFormat, simulate } from './simulate/simulate.ts';
import type { SimulationOptions } from './simulate/simulation.ts';

/** Parses and runs. @returns the exit code; never throws */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let exit: number = EXIT.done;
  const program = createProgram((code) => (exit = code));
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exit;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.done : EXIT.usage;
    return reportError(thrown, argv.includes('--debug'));
  }
}

type Ended = (code: number) => void;

function createProgram(ended: Ended): Command {
  const program = new Command('slipway')
    .description(
      'Kubernetes clusters as Crossplane compositions: try claims, see what they become, read what machines run.',
    )
    .option('--debug', 'show where an error came from')
    .helpCommand(false)
    .showHelpAfterError('--help shows what is accepted')
    .exitOverride()
    .addHelpText('after', `\n${EXIT_HELP}`);
  addSimulate(program, ended);
  addDescribe(program, ended);
  addPayload(program, ended);
  addPlan(program, ended);
  addRender(program, ended);
  addMatrix(program, ended);
  addFunctions(program, ended);
  return program;
}

interface SimulationFlags {
  readonly seed: number;
  readonly for: number;
  readonly apply: readonly Change[];
  readonly delete: readonly Change[];
  readonly fail: readonly string[];
  readonly compositions?: string;
}

/** Flags of every command that simulates. */
function simulates(command: Command): Command {
  return command
    .addOption(
      new Option('--seed <n>', 'another seed is another run; the same seed the same one')
        .default(0)
        .argParser(accept(parseSeed)),
    )
    .addOption(
      new Option('--for <duration>', 'simulated time after which it gives up')
        .default(7200, '2h')
        .argParser(accept((text) => parseSeconds('--for', text))),
    )
    .addOption(
      new Option('--apply <file@time>', 'apply a file while it runs; may be repeated')
        .default([], 'none')
        .argParser(gather(parseApply)),
    )
    .addOption(
      new Option('--delete <kind/name@time>', 'delete an object while it runs; may be repeated')
        .default([], 'none')
        .argParser(gather(parseDelete)),
    )
    .addOption(
      new Option(
        '--fail <what=how>',
        'rate-limits=0.2, failed-creates=0.2, slow-objects=0.2 or provider-restart=3m; may be repeated',
      )
        .default([], 'none')
        .argParser(gather((text) => (parseFaults([text]), text))),
    )
    .option('--compositions <folder>', 'Compositions to use instead of the project’s own');
}

function simulationOf(files: readonly string[], flags: SimulationFlags): SimulationOptions {
  return {
    files,
    seed: flags.seed,
    limit: flags.for,
    changes: [...flags.apply, ...flags.delete],
    faults: parseFaults(flags.fail),
    compositions: flags.compositions,
  };
}

const output = (): Option =>
  new Option('-o, --output <format>', 'how to print').choices(['table', 'json', 'yaml']).default('table');

function addSimulate(program: Command, ended: Ended): void {
  const command = simulates(
    program
      .command('simulate')
      .argument('<files...>', 'YAML files or folders with claims')
      .description('Bring claims to Ready on a simulated cloud, with the real functions.'),
  );
  command
    .addOption(output())
    .option('--save <file>', 'write what exists in the end to a file, but for Secrets; slipway plan reads it')
    .addHelpText(
      'after',
      examples('simulate', [
        'examples/aws',
        'examples/aws --apply examples/aws/edits/scale-up.yaml@10m',
        'examples/aws --fail slow-objects=0.3 --seed 7 -o json',
      ]),
    )
    .action(
      async (files: string[], flags: SimulationFlags & { readonly output: OutputFormat; readonly save?: string }) =>
        ended(await simulate(simulationOf(files, flags), flags.output, flags.save)),
    );
}

function addDescribe(program: Command, ended: Ended): void {
  const command = simulates(
    program
      .command('describe')
      .argument('<kind>', 'cluster, nodepool or machine')
      .argument('<name>', 'its name')
      .argument('<files...>', 'YAML files or folders with claims')
      .description('Simulate claims and show one object of them as a tree, problems first.'),
  );
  command
    .option('--show-conditions', 'every condition, not just problems', false)
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
      ) =>
        ended(
          await describe({ kind: kindOf(kind), name }, simulationOf(files, flags), {
            conditions: flags.showConditions,
            output: flags.output,
          }),
        ),
    );
}

function addPayload(program: Command, ended: Ended): void {
  const command = simulates(
    program
      .command('payload')
      .argument('[files...]', 'YAML files or folders with claims')
      .description('Show what a machine runs on its first boot, secrets masked.'),
  );
  command
    .option('--machine <name>', 'the Machine (default: the first of the control plane)')
    .option('--secret <file>', 'a payload Secret, as kubectl get -o yaml prints it, instead of claims')
    .option('--show-secrets', 'leave keys and tokens in clear', false)
    .option('--raw', 'the bytes as the machine gets them', false)
    .addHelpText('after', examples('payload', ['examples/aws', 'examples/aws --machine NAME', '--secret FILE']))
    .action(
      async (
        files: string[],
        flags: SimulationFlags & {
          readonly machine?: string;
          readonly secret?: string;
          readonly showSecrets: boolean;
          readonly raw: boolean;
        },
      ) => {
        if (files.length === 0 && flags.secret === undefined)
          command.error('error: give files with claims, or --secret');
        const { machine, secret, showSecrets, raw } = flags;
        ended(await payload(simulationOf(files, flags), { machine, secret, showSecrets, raw }));
      },
    );
}

interface RenderFlags {
  readonly observedResources: readonly string[];
  readonly requiredResources: readonly string[];
  readonly includeFullXr: boolean;
  readonly includeFunctionResults: boolean;
  readonly now?: string;
}

function addRender(program: Command, ended: Ended): void {
  program
    .command('render')
    .argument('<xr>', 'file with one claim')
    .argument('<composition>', 'file with one Composition')
    .description('Run one claim through one Composition and print what Crossplane would apply.')
    .addOption(
      new Option('-o, --observed-resources <path>', 'composed resources that exist; may be repeated')
        .default([], 'none')
        .argParser(gather(String)),
    )
    .addOption(
      new Option('-e, --required-resources <path>', 'objects the functions may require; may be repeated')
        .default([], 'none')
        .argParser(gather(String)),
    )
    .option('-x, --include-full-xr', 'print the claim with its spec', false)
    .option('-r, --include-function-results', 'print results after the resources', false)
    .option('--now <time>', 'the time the functions see, such as 2026-01-01T00:00:00Z')
    .addHelpText('after', examples('render', ['examples/aws/cluster.yaml compositions/aws/cluster.yaml']))
    .action(async (xr: string, composition: string, flags: RenderFlags) => {
      const now = timeOf(flags.now);
      const {
        observedResources: observed,
        requiredResources: required,
        includeFullXr: fullXr,
        includeFunctionResults: results,
      } = flags;
      ended(await render(xr, composition, { observed, required, fullXr, results, now }));
    });
}

function addMatrix(program: Command, ended: Ended): void {
  program
    .command('matrix')
    .description('Show which bootstrap provider goes with which provisioning format, and what a format cannot say.')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(MATRIX_FORMATS).default('table'))
    .addHelpText('after', examples('matrix', ['', '-o markdown']))
    .action(({ output }: { readonly output: MatrixFormat }) => ended(printMatrix(output)));
}

function addFunctions(program: Command, ended: Ended): void {
  program
    .command('functions')
    .description(
      'Serve all functions on this machine and print the functions.yaml that crossplane composition render takes.',
    )
    .option('--base-port <port>', 'first of six ports', '9443')
    .addHelpText('after', examples('functions', ['', '--base-port 19443']))
    .action(async ({ basePort }: { readonly basePort: string }) => ended(await serveFunctions(basePort)));
}

function examples(command: string, lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  slipway ${command} ${line}`.trimEnd()), '', EXIT_HELP].join('\n');
}
