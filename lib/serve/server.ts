/** A gRPC server with TLS, health, metrics and a graceful shutdown. Its services are arguments. */
import type { Server as HttpServer } from 'node:http';
import { Server, ServerCredentials, setLogger } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { SlipwayError } from '#lib/api/errors.ts';
import { type Address, formatAddress } from './address.ts';
import { Health } from './health.ts';
import { metricsServer } from './metrics.ts';
import { drain, onStop } from './stop.ts';
import { serverCredentials } from './tls.ts';

export interface ServerSettings {
  readonly address: Address;
  readonly insecure: boolean;
  readonly certsDir: string | undefined;
  /** Plain HTTP for probes and Prometheus; undefined: off. */
  readonly metricsAddress: Address | undefined;
  /** Megabytes. */
  readonly maxReceive: number;
  /** Seconds calls under way may take once the process is asked to stop. */
  readonly drain: number;
  /** Whether the end of standard input stops the process. */
  readonly stopWithStdin: boolean;
}

/**
 * Listens, and returns; SIGTERM and SIGINT end the process.
 * @param add  puts services on the server before it listens
 * Throws SlipwayError Unavailable when an address is taken or certificates are missing.
 */
export async function startServer(
  settings: ServerSettings,
  registry: Registry,
  logger: Logger,
  add: (server: Server) => void,
): Promise<void> {
  logTransport(logger);
  const health = new Health();
  const server = new Server({
    'grpc.max_receive_message_length': settings.maxReceive * 1024 * 1024,
    'grpc.max_send_message_length': -1,
  });
  add(server);
  health.addTo(server);
  let ready = false;
  const http = metricsServer(registry, () => ready);
  const metricsAddress =
    settings.metricsAddress === undefined ? undefined : await listen(http, settings.metricsAddress);
  const address = await bind(server, settings.address, credentialsOf(settings, logger));
  ready = true;
  health.set('SERVING');
  logger.info({ address, metricsAddress, insecure: settings.insecure }, 'listening');
  onStop(() => {
    logger.info('stopping');
    ready = false;
    health.set('NOT_SERVING');
    health.end();
    drain(server, settings.drain, logger);
  }, settings.stopWithStdin);
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

function credentialsOf({ insecure, certsDir }: ServerSettings, logger: Logger): ServerCredentials {
  if (insecure) return ServerCredentials.createInsecure();
  if (certsDir !== undefined && certsDir !== '') return serverCredentials(certsDir, logger);
  throw new SlipwayError(
    'Unavailable',
    'cannot start without certificates: give --tls-certs-dir or set TLS_SERVER_CERTS_DIR, or --insecure to serve without TLS',
  );
}
