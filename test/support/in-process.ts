/** The functions in process at the start of virtual time, and other functions beside them. */
import type { FunctionCaller } from '#simulator/engine.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { callerOf, inProcess as shipped } from '../../cli/in-process/functions.ts';

/** @param name as in a Composition */
export function inProcess(name: string): FunctionCaller {
  return inProcessWith({})(name);
}

/** @param others  instead of the shipped ones, by the names of their folders */
export function inProcessWith(others: Readonly<Record<string, CompositionFunction>>): (name: string) => FunctionCaller {
  return (name) => {
    const run = others[name.replace('slipway-function-', '')];
    const { run: call } = run === undefined ? shipped(name) : callerOf(() => Promise.resolve({ run }));
    return { run: (request, options) => call(request, { now: new Date(0), ...options }) };
  };
}
