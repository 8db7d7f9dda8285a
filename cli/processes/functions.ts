/** All seven functions as processes, none of which outlives the command. */
import { SlipwayError } from '#lib/api/errors.ts';
import { SIGNAL_EXIT } from '../exit.ts';
import { FUNCTIONS, folderOf } from '../files/repository.ts';
import { FunctionProcess, type ProcessOptions } from './function-process.ts';

export interface Functions {
  /** The function a Composition calls by this name. */
  readonly caller: (name: string) => FunctionProcess;
  readonly all: readonly FunctionProcess[];
  stop(): void;
}

interface StartOptions extends Omit<ProcessOptions, 'port'> {
  /** First of consecutive ports; 0: free ports. @default 0 */
  readonly basePort?: number;
  /** Whether the caller ends on signals itself. @default false: a signal stops functions and command */
  readonly ownSignals?: boolean;
}

/**
 * Starts every function and waits until all listen.
 */
export async function startFunctions(options: StartOptions): Promise<Functions> {
  const { basePort = 0, clock } = options;
  const all = FUNCTIONS.map(
    (folder, i) => new FunctionProcess(folder, { clock, port: basePort === 0 ? 0 : basePort + i }),
  );
  const stop = (): void => all.forEach((one) => one.stop());
  process.once('exit', stop);
  if (options.ownSignals !== true)
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => process.exit(SIGNAL_EXIT.interrupted));
  try {
    await Promise.all(all.map(({ running }) => running));
  } catch (thrown) {
    stop();
    throw thrown;
  }
  return { all, stop, caller: (name) => find(all, name) };
}

function find(all: readonly FunctionProcess[], name: string): FunctionProcess {
  const folder = folderOf(name);
  const found = all.find((one) => one.name === folder);
  if (found !== undefined) return found;
  throw new SlipwayError('Internal', `cannot call function "${name}": it was not started`);
}
