/** Serves the calls of one function over gRPC; threads answer them. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { createRegistry } from '#lib/serve/metrics.ts';
import { startServer } from '#lib/serve/server.ts';
import { countCalls } from './calls.ts';
import type { Flags } from './flags.ts';
import { addFunction } from './service.ts';
import { Threads } from './threads.ts';

/** A small call takes some milliseconds. One that takes longer than `patience` lets no other wait for it. */
const SMALL = { threads: 4, patience: 250, waiting: 64 * 1024 * 1024, deadline: 20_000 } as const;

/**
 * One processor is left for gRPC and probes. Requests that wait are in memory. Crossplane waits two minutes at most: that
 * is how long one of its reconciles may take.
 */
const LARGE = {
  threads: Math.min(4, Math.max(1, availableParallelism() - 1)),
  patience: 0,
  waiting: 256 * 1024 * 1024,
  deadline: 120_000,
} as const;

export async function serveCalls(name: string, flags: Flags): Promise<void> {
  const logger = pino({ name, level: flags.debug ? 'debug' : 'info' });
  const registry = createRegistry({ function: name });
  const calls = countCalls(registry);
  const threads = { small: new Threads(startThread, SMALL), large: new Threads(startThread, LARGE) };
  await threads.small.begin();
  await startServer(flags, registry, logger, (server) => addFunction(server, logger, flags.clock, calls, threads));
}

/** It runs the same program, which answers calls there. */
function startThread(): Worker {
  return new Worker(process.argv[1] ?? '', { argv: process.argv.slice(2) });
}
