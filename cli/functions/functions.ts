/**
 * slipway functions: serves all seven functions for `crossplane composition render` and prints the functions.yaml it
 * needs.
 */
import { stringify } from 'yaml';
import { EXIT, fitted, UsageError } from '../exit.ts';
import { functionName } from '../files/repository.ts';
import { type FunctionProcess } from '../processes/function-process.ts';
import { outputTo } from '../terminal/output.ts';
import { startFunctions } from '../processes/functions.ts';

/** Serves until it is stopped. @param file  for functions.yaml; standard output by default. @returns the exit code */
export async function serveFunctions(basePort: string, file: string | undefined): Promise<number> {
  const port = Number(basePort);
  if (!Number.isInteger(port) || port < 1024 || port > 65_000)
    throw new UsageError(`cannot accept --base-port "${basePort}": accepted: a port from 1024 to 65000`);
  const functions = await startFunctions({ clock: 'system', basePort: port, ownSignals: true });
  // Before printing that it serves: a reader of that line may stop it at once.
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  outputTo(file).write(functions.all.map((one) => stringify(functionObject(one))).join('---\n'));
  process.stderr.write(fitted('serving without TLS, on this machine only; press Ctrl-C to stop'));
  await stopped;
  functions.stop();
  return EXIT.done;
}

/** As `crossplane composition render` reads it: the function is called at an address, no image is run. */
export function functionObject({ name, address }: Pick<FunctionProcess, 'name' | 'address'>): object {
  return {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Function',
    metadata: {
      name: functionName(name),
      annotations: {
        'render.crossplane.io/runtime': 'Development',
        'render.crossplane.io/runtime-development-target': address,
      },
    },
    spec: { package: `xpkg.crossplane.io/slipway/function-${name}:v0.1.0` },
  };
}
