/** Serves one function: flags, TLS, gRPC, health, metrics, and an end that finishes what it began. */
import type { Server as HttpServer } from 'node:http';
import { Server, ServerCredentials, setLogger } from '@grpc/grpc-js';
import { type Logger, pino } from 'pino';
import { SlipwayError } from '#lib/api/errors.ts';
import { type Address, formatAddress } from './address.ts';
import { type Flags, helpText, parseFlags } from './flags.ts';
import type { CompositionFunction } from './function.ts';
import { Health } from './health.ts';
import { createMetrics, metricsServer } from './metrics.ts';
import { addFunction } from './service.ts';
import { drain, onStop } from './stop.ts';
import { serverCredentials } from './tls.ts';

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
  logTransport(logger);
  const metrics = createMetrics(name);
  const health = new Health();
  const server = new Server({
    'grpc.max_receive_message_length': flags.maxReceive * 1024 * 1024,
    'grpc.max_send_message_length': -1,
  });
  addFunction(server, { run, logger, ttl: flags.ttl }, flags.clock, metrics);
  health.addTo(server);
  let ready = false;
  const http = metricsServer(metrics, () => ready);
  const plain = flags.metricsAddress === undefined ? undefined : await listen(http, flags.metricsAddress);
  const address = await bind(server, flags.address, credentialsOf(flags, logger));
  ready = true;
  health.set('SERVING');
  logger.info({ address, metricsAddress: plain, insecure: flags.insecure }, 'listening');
  onStop(() => {
    logger.info('stopping');
    ready = false;
    health.set('NOT_SERVING');
    health.end();
    drain(server, flags.drain, logger);
  }, flags.stopWithStdin);
}

/** The transport's own remarks, which would otherwise go to standard error as bare text. */
function logTransport(logger: Logger): void {
  const remark = (...parts: readonly unknown[]): void => logger.debug({ remark: parts.join(' ') }, 'gRPC');
  setLogger({ error: remark, info: remark, debug: remark });
}

function bind(server: Server, address: Address, credentials: ServerCredentials): Promise<string> {
  return new Promise((resolve, reject) => {
    server.bindAsync(formatAddress(address), credentials, (cause, port) => {
      if (cause === null) resolve(formatAddress({ ...address, port }));
      // The causes per resolved address stand in brackets behind a count of them.
      else reject(cannotListen(address, /\[(.*)\]$/s.exec(cause.message)?.[1] ?? cause.message, cause));
    });
  });
}

function listen(http: HttpServer, address: Address): Promise<string> {
  return new Promise((resolve, reject) => {
    http.once('error', (cause) => reject(cannotListen(address, cause.message, cause)));
    http.listen(address, () => {
      const bound = http.address();
      const port = bound === null || typeof bound === 'string' ? address.port : bound.port;
      resolve(formatAddress({ ...address, port }));
    });
  });
}

function cannotListen(address: Address, reason: string, cause: Error): SlipwayError {
  return new SlipwayError('Unavailable', `cannot listen on "${formatAddress(address)}": ${reason}`, { cause });
}

function credentialsOf(flags: Flags, logger: Logger): ServerCredentials {
  if (flags.insecure) return ServerCredentials.createInsecure();
  if (flags.certsDir !== undefined && flags.certsDir !== '') return serverCredentials(flags.certsDir, logger);
  throw new SlipwayError(
    'Unavailable',
    'cannot start without certificates: give --tls-certs-dir or set TLS_SERVER_CERTS_DIR, or --insecure to serve without TLS',
  );
}
