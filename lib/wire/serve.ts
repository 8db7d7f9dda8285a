/** Serves one function over gRPC. */
import { availableParallelism } from 'node:os';
import { isMainThread, Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { SlipwayError } from '#lib/api/errors.ts';
import type { CompositionFunction } from '#lib/fn/function.ts';
import { realWorld } from '#lib/fn/world.ts';
import { createRegistry } from '#lib/serve/metrics.ts';
import { startServer } from '#lib/serve/server.ts';
import { countCalls } from './calls.ts';
import { type Flags, helpText, parseFlags } from './flags.ts';
import { addFunction } from './service.ts';
import { answer } from './shell.ts';
import { answerCalls } from './thread.ts';
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
  const shell = { run, logger, ttl: flags.ttl };
  if (!isMainThread) return answerCalls((bytes, now) => answer(shell, bytes, { ...realWorld(), now }));
  const registry = createRegistry({ function: name });
  const calls = countCalls(registry);
  const thread = (): Worker => new Worker(process.argv[1] ?? '', { argv: process.argv.slice(2) });
  const threads = { small: new Threads(thread, SMALL), large: new Threads(thread, LARGE) };
  await threads.small.begin();
  await startServer(flags, registry, logger, (server) => addFunction(server, logger, flags.clock, calls, threads));
}
