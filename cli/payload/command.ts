/** The command line of slipway payload. */
import type { Command } from 'commander';
import { examples, filesOf, inNamespace, outputFile } from '../flags.ts';
import { onlyIn } from '../files/namespaces.ts';
import { objectRef } from '../object-ref.ts';
import { type SimulationFlags, simulates, simulationOf } from '../simulate/flags.ts';

/** Adds the command. @param ended is told the exit code */
export function addPayload(program: Command, ended: (code: number) => void): void {
  const command = simulates(
    program
      .command('payload')
      .argument('[files...]', 'YAML files or folders with claims; - is standard input')
      .summary('Show what a machine runs on its first boot, secrets masked.')
      .description(
        'Show what a machine runs on its first boot, secrets masked: the first control-plane machine, or that of --machine.',
      ),
  );
  inNamespace(command)
    .option('--machine <name>', 'name of the Machine (default: the first control-plane machine)')
    .option('--secret <file>', 'file with a payload Secret, as printed by kubectl get -o yaml, instead of claims')
    .option('--show-secrets', 'do not mask keys and tokens', false)
    .option('--raw', 'print exactly the bytes that the machine gets', false)
    .addOption(outputFile())
    .addHelpText('after', examples('payload', ['examples/aws', 'examples/aws --machine NAME', '--secret FILE']))
    .action(
      async (
        files: string[],
        flags: SimulationFlags & {
          readonly machine?: string;
          readonly namespace?: string;
          readonly secret?: string;
          readonly showSecrets: boolean;
          readonly raw: boolean;
          readonly outputFile?: string;
        },
      ) => {
        const { payload } = await import('./payload.ts');
        const { secret, showSecrets, raw, outputFile: file } = flags;
        const machine = flags.machine === undefined ? undefined : machineOf(flags.machine);
        const claims = secret === undefined ? filesOf(command, files, flags.filename) : [];
        const simulation = { ...simulationOf(claims, flags), namespace: onlyIn(flags.namespace) };
        ended(await payload(simulation, { machine, secret, showSecrets, raw, file }));
      },
    );
}

/** `NAME` or `Machine/NAME`. */
function machineOf(text: string): string {
  return objectRef(text, `accept --machine "${text}"`, ['Machine'])?.name ?? text;
}
