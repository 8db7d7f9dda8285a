/** Shutdown of a function: it accepts no more calls, finishes running ones, and always ends. */
import type { Server as Port } from 'node:net';
import type { Server } from '@grpc/grpc-js';
import type { Logger } from 'pino';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `stopOnce` at the first of SIGTERM, SIGINT and, if wanted, the end of standard input. A second signal
 * ends the process at once.
 */
export function onStop(stopOnce: () => void, withStdin: boolean): void {
  let signalled = false;
  const stop = (): void => {
    if (signalled) process.exit(1);
    signalled = true;
    stopOnce();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (!withStdin) return;
  const ended = (): void => {
    if (!signalled) stop();
  };
  process.stdin.on('end', ended).on('error', ended).resume();
}

/** Exits with 0 once the last call was answered, with 1 when that takes too long. */
export function drain(server: Server, port: Port, seconds: number, logger: Logger): void {
  const force = setTimeout(
    () => {
      logger.warn('calls did not end in time; stopping anyway');
      server.forceShutdown();
      process.exit(1);
    },
    Math.min(seconds * 1000, LONGEST_TIMER_MS),
  );
  // gRPC tells the clients; it does not count the connections of a port that is not its own.
  server.tryShutdown(() => undefined);
  port.close(() => {
    clearTimeout(force);
    process.exit(0);
  });
}
