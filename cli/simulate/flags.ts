/** The flags of every command that simulates. */
import { type Command, Option } from 'commander';
import { type CallableFlags, callableOptions, callsFunctions } from '../callable.ts';
import { gather, readsFiles } from '../flags.ts';
import { type Change, parseApply, parseDelete, parseFaults, parseFor, parseSeed, refuseTooLate } from './options.ts';
import type { SimulationOptions } from './simulation.ts';

export interface SimulationFlags extends CallableFlags {
  readonly filename: readonly string[];
  readonly seed: number;
  readonly for: number;
  readonly apply: readonly Change[];
  readonly delete: readonly Change[];
  readonly fail: readonly string[];
  readonly compositions?: string;
}

/** Adds the flags of every command that simulates. */
export function simulates(command: Command): Command {
  command
    .addOption(
      new Option('--seed <whole-number>', 'random seed; the same seed gives the same run')
        .default(0)
        .argParser(parseSeed),
    )
    .addOption(
      new Option('--for <duration>', 'give up after this much simulated time').default(7200, '2h').argParser(parseFor),
    )
    .addOption(
      new Option(
        '--apply <file@time>',
        'apply a file at a time of the simulation, such as edit.yaml@20m; may be repeated',
      )
        .default([])
        .argParser(gather(parseApply)),
    )
    .addOption(
      new Option(
        '--delete <kind/name@time>',
        'delete an object at a time of the simulation, such as Machine/a@20m; may be repeated',
      )
        .default([])
        .argParser(gather(parseDelete)),
    )
    .addOption(
      new Option(
        '--fail <what=how>',
        'let the cloud fail: rate-limits=0.2, failed-creates=0.2, failed-updates=0.2, slow-objects=0.2, provider-restart=3m or no-capacity=eu-west-1a/m6i.xlarge@30m, from the start until minute 30; may be repeated',
      )
        .default([])
        .argParser(gather((text) => (parseFaults([text]), text))),
    )
    .option('--compositions <folder>', 'Compositions to use instead of those that come with slipway');
  return callsFunctions(readsFiles(command));
}

/** Throws UsageError for a change that would never happen. */
export function simulationOf(files: readonly string[], flags: SimulationFlags): SimulationOptions {
  const changes = [...flags.apply, ...flags.delete];
  refuseTooLate(changes, flags.for);
  return {
    files,
    seed: flags.seed,
    limit: flags.for,
    changes,
    faults: parseFaults(flags.fail),
    compositions: flags.compositions,
    ...callableOptions(flags),
  };
}
