/** Serves the calls of one function over gRPC; threads answer them. */
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { createRegistry } from '#lib/serve/metrics.ts';
import { startServer } from '#lib/serve/server.ts';
import { countCalls } from './calls.ts';
import type { Flags } from './flags.ts';
import { addFunction } from './service.ts';
import { LARGE, SMALL } from './thread-limits.ts';
import { Threads } from './threads.ts';

export async function serveCalls(name: string, flags: Flags): Promise<void> {
  const logger = pino({ name, level: flags.debug ? 'debug' : 'info' });
  const registry = createRegistry({ function: name });
  const calls = countCalls(registry);
  const threads = { small: new Threads(startThread, SMALL), large: new Threads(startThread, LARGE) };
  await threads.small.begin();
  await startServer(flags, registry, logger, (server) => addFunction(server, logger, flags.clock, calls, threads));
}

/** It runs the same program, which answers calls there. */
function startThread(resourceLimits: ResourceLimits): Worker {
  return new Worker(process.argv[1] ?? '', { argv: process.argv.slice(2), resourceLimits });
}
