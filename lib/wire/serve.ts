/** Serves one function over gRPC. */
import { pino } from 'pino';
import { SlipwayError } from '#lib/api/errors.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { createRegistry } from '#lib/serve/metrics.ts';
import { startServer } from '#lib/serve/server.ts';
import { countCalls } from './calls.ts';
import { type Flags, helpText, parseFlags } from './flags.ts';
import { addFunction } from './service.ts';

/**
 * Runs a function until SIGTERM or SIGINT. Exits with 1 when it cannot serve and with 2 when its command line
 * makes no sense, each with one clear line.
 * @param name package name, such as function-cluster
 */
export async function serve(name: string, run: CompositionFunction): Promise<void> {
  try {
    const flags = parseFlags(process.argv.slice(2), process.env);
    if (flags.help) process.stdout.write(helpText(name));
    else await start(name, run, flags);
  } catch (thrown) {
    const error = SlipwayError.from(thrown);
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(error.code === 'UnknownSubject' ? 2 : 1);
  }
}

async function start(name: string, run: CompositionFunction, flags: Flags): Promise<void> {
  const logger = pino({ name, level: flags.debug ? 'debug' : 'info' });
  const registry = createRegistry({ function: name });
  const calls = countCalls(registry);
  await startServer(flags, registry, logger, (server) =>
    addFunction(server, { run, logger, ttl: flags.ttl }, flags.clock, calls),
  );
}
