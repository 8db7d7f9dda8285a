/** How commands call the functions: in this process, or as processes over gRPC. */
import { Option } from 'commander';
import type { FunctionCaller } from '#lib/wire/client.ts';

export interface Callable {
  /** The function a Composition calls by this name. */
  readonly caller: (name: string) => FunctionCaller;
  stop(): void;
}

/** @param processes whether each function is a process */
export async function callable(processes: boolean): Promise<Callable> {
  // Only what is needed is loaded: gRPC alone takes a third of the time of a short command.
  if (processes) return (await import('./processes/functions.ts')).startFunctions({ clock: 'request' });
  const { inProcess } = await import('./in-process/functions.ts');
  return { caller: inProcess, stop: () => {} };
}

/** The flag of every command that calls functions. */
export const processes = (): Option =>
  new Option('--processes', 'run each function as a process and call it over gRPC, as Crossplane does').default(false);
